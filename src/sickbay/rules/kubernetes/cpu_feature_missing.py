from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The program needs a CPU instruction that the node lacks (AVX, x86-64-v2, Illegal instruction, exit code 132)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"requires a CPU with AVX support|CPU does not support x86-64-v\d|only be run on (?:AMD64|x86-64) processors with v\d microarchitecture|was compiled to use \S{1,20} instructions, but these aren.t available",
            says="the processor lacks an instruction",
            sample="WARNING: MongoDB 5.0+ requires a CPU with AVX support, and your current system does not appear to have that!",
            near_miss="CPU has AVX support",
        ),
        Signature(
            pattern=r"Illegal instruction(?: \(core dumped\))?$|illegal hardware instruction|signal: illegal instruction|SIGILL: illegal instruction|\[signal SIGILL|Terminated Reason: Error Exit Code: 132\b|[Ee]xit code\W{1,3}132\b|Illegal instruction.{0,3} (?:error|failure)s?\b|corresponds to .?SIGILL",
            says="the program ended at an instruction that the processor does not know",
            sample="/entrypoint.sh: line 12:     9 Illegal instruction     (core dumped)",
            near_miss="/entrypoint.sh: line 12:     9 Terminated",
            weight=TYPICAL,
        ),
    ),
    why="Programs and C libraries can be compiled for newer processors than the machine has, or than its hypervisor passes through (CPU model kvm64, qemu64): MongoDB 5 and later want AVX, newer base images x86-64-v2. The kernel ends the process with SIGILL.",
    remedy=(
        Step(
            "See what the processor of the node offers.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "lscpu",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Run the pod on nodes of a newer VM size or CPU model (host-passthrough on your own hypervisor), or use an image that was built for older processors.",
            risk=Risk.DISRUPTIVE,
            verify="the restart count of the pod stands still",
        ),
    ),
    docs=("https://www.mongodb.com/docs/manual/administration/production-notes/",),
    leads_to=("kubernetes.program_fails", "network.ingress_config_invalid"),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
