from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A CPU limit throttles a container although the node has CPU to spare (CFS throttling)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"nr_periods \d+ nr_throttled (?P<throttled>[1-9]\d{3,})|\bnr_throttled (?P<periods>[1-9]\d{3,})\b|(?i:CPUThrottlingHigh)\b",
            says="a container was throttled in thousands of periods",
            sample="nr_periods 20431 nr_throttled 15311 throttled_usec 912341231",
            near_miss="nr_periods 20431 nr_throttled 3 throttled_usec 1231",
            weight=TYPICAL,
        ),
    ),
    why="The kernel gives a container its CPU limit in slices of 100 ms and stops it when the slice is used up, however idle the node is. A limit close to the average of a bursty process leaves it throttled in many periods, which shows as slow answers and failed probes.",
    remedy=(
        Step(
            "See how many periods were throttled.",
            run=(
                "kubectl",
                "exec",
                "{pod}",
                "-n",
                "{namespace}",
                "--",
                "cat",
                "/sys/fs/cgroup/cpu.stat",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Raise the CPU limit, or drop it and rely on the request.",
            run=(
                "kubectl",
                "set",
                "resources",
                "<deployment>",
                "-n",
                "{namespace}",
                "--limits=cpu=<value>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="nr_throttled wants to stand still",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-node-cpu-pressure-psi",
    ),
    leads_to=("kubernetes.probe_too_slow",),
    ask="kubectl exec {pod} -n {namespace} -- cat /sys/fs/cgroup/cpu.stat",
)
