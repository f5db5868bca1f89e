from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A container cannot start: its arguments or its environment are too long (argument list too long)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i:(?:exec|process|runc|init|fork)\b.{0,120}?argument list too long)|: Argument list too long\b",
            says="a process has too many arguments or variables",
            sample="standard_init_linux.go:228: exec user process caused: argument list too long",
            near_miss="standard_init_linux.go:228: exec user process caused: no such file or directory",
        ),
    ),
    why="The kernel limits the size of arguments and environment of a process. Either the command line itself is too long, or the namespace has so many services that the variables which the kubelet adds for each of them (enableServiceLinks) fill the limit: the number of services decides.",
    remedy=(
        Step(
            "Count the services of the namespace; hundreds point to the environment.",
            run=(
                "kubectl",
                "get",
                "services",
                "-n",
                "{namespace}",
                "--no-headers",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Keep the variables of services out of the pod.",
            run=(
                "kubectl",
                "patch",
                "deployment",
                "<deployment>",
                "-n",
                "{namespace}",
                "--type",
                "merge",
                "-p",
                '{"spec":{"template":{"spec":{"enableServiceLinks":false}}}}',
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n {namespace} wants the pod Running",
        ),
        Step("With few services shorten the arguments, or put them into a file from a ConfigMap."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/application-fails-argument-list-too-long",
    ),
    leads_to=(
        "kubernetes.crash_loop",
        "kubernetes.program_fails",
        "kubernetes.command_missing",
    ),
    ask="kubectl get services -n {namespace} --no-headers",
)
