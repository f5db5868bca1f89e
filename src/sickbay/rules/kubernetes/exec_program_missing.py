from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubectl exec names a program that the container does not have (a minimal image without a shell)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'(?:OCI runtime exec failed: exec failed: |executing command in container: .{0,120}?|Internal error occurred: .{0,80}?exec in container: .{0,160}?)(?:unable to start container process: )?.{0,60}?exec: "(?P<program>[^"]{1,120})": (?:executable file not found|stat \S+: no such file|permission denied)',
            says="the container has no {program}",
            sample='OCI runtime exec failed: exec failed: unable to start container process: exec: "bash": executable file not found in $PATH: unknown',
            near_miss='Error: failed to create containerd task: exec: "bash": executable file not found in $PATH: unknown',
            unless=r"(?i)^Unknown: failed to exec|probe|Unhealthy|PostStart|PreStop|lifecycle",
        ),
    ),
    why="The command of kubectl exec runs inside the container, with only what its image brings. Distroless and scratch images have no shell, Alpine has sh and no bash. The container itself is well.",
    remedy=(
        Step(
            "Use a debug container with the tools in it.",
            run=(
                "kubectl",
                "debug",
                "-it",
                "{pod}",
                "-n",
                "{namespace}",
                "--image=busybox",
                "--target=<container>",
            ),
            risk=Risk.SAFE,
        ),
        Step("Or name a program that the image has, such as sh."),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/#ephemeral-container",
    ),
    ask="kubectl debug -it {pod} -n {namespace} --image=busybox",
    leads_to=("kubernetes.container_start_fails",),
)
