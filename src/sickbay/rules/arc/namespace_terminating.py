from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The azure-arc namespace of an earlier onboarding is still terminating",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Namespace '?azure-arc'? still in terminating state",
            says="the namespace azure-arc is terminating",
            sample="Namespace 'azure-arc' still in terminating state. Please ensure that you delete the 'azure-arc' namespace before onboarding the cluster again.",
            near_miss="Namespace 'azure-arc' was deleted",
        ),
    ),
    why="A namespace in the state Terminating waits for the finalizers of what is in it. Until azure-arc is gone, the cluster cannot be onboarded again.",
    remedy=(
        Step(
            "See what holds it.",
            run=(
                "kubectl",
                "get",
                "namespace",
                "azure-arc",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the objects whose finalizers are left, and wait until the namespace is gone.",
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get namespace azure-arc wants NotFound",
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {name} --query connectivityStatus wants Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
)
