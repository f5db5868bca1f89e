from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubeconfig of cluster connect is used where a direct one is needed",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)az connectedk8s (?P<command>\w+) is not supported when using the Cluster Connect kubeconfig|not supported .{0,60}?Cluster Connect kubeconfig",
            says="the kubeconfig leads through cluster connect",
            sample="az connectedk8s delete is not supported when using the Cluster Connect kubeconfig.",
            near_miss="az connectedk8s delete finished",
        ),
    ),
    why="`az connectedk8s proxy` writes a kubeconfig whose server is 127.0.0.1:47011 and leads through the agents. Commands that remove or change those agents would cut the branch they sit on, so they need a kubeconfig that reaches the API server directly.",
    remedy=(
        Step(
            "See which server the context uses.",
            run=(
                "kubectl",
                "config",
                "view",
                "--minify",
            ),
            risk=Risk.READ,
            verify="server must not be 127.0.0.1:47011",
        ),
        Step(
            "Switch to a context that reaches the API server directly, then repeat.",
            run=(
                "kubectl",
                "config",
                "use-context",
                "<context>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/cluster-connect",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
)
