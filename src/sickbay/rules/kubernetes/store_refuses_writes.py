from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Redis refuses writes: its memory is full, it cannot save to disk, or it is a read-only replica",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"OOM command not allowed when used memory|MISCONF Redis is configured to save RDB|[Yy]ou can't write against a read only (?:replica|slave)|MASTERDOWN Link with MASTER is down|CLUSTERDOWN (?:The cluster is down|Hash slot not served)|MISCONF Errors writing to the AOF file",
            says="Redis refuses commands",
            sample="ReplyError: OOM command not allowed when used memory > 'maxmemory'.",
            near_miss="redis ready to accept connections",
            weight=TYPICAL,
            common=True,
        ),
    ),
    why="The server was reached and refuses the command for its own state: maxmemory is used up and nothing may be evicted, a snapshot could not be written because the volume is full or not writable, or the client writes to a replica or to a cluster that has lost its master.",
    remedy=(
        Step(
            "See the state of the server.",
            run=(
                "kubectl",
                "exec",
                "<redis-pod>",
                "-n",
                "{namespace}",
                "--",
                "redis-cli",
                "info",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give it more memory or an eviction policy, make room on its volume, or point the client at the master.",
            risk=Risk.DISRUPTIVE,
            verify="the command succeeds",
        ),
    ),
    docs=("https://redis.io/docs/latest/develop/reference/eviction/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
