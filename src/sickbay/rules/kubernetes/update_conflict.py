from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An object was changed by somebody else between reading and writing (the object has been modified)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?:Error from server \(Conflict\)|(?:UPGRADE|INSTALLATION) FAILED).{0,200}?(?:the object has been modified|Operation cannot be fulfilled on)",
            says="a write was refused because the object had changed meanwhile",
            sample='Error from server (Conflict): Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
            near_miss="deployment.apps/web configured",
            weight=TYPICAL,
        ),
    ),
    why="Each object has a version, and a write that is based on an older one is refused. A controller, an autoscaler or a second pipeline changed it in between; one refusal is harmless, and a lasting one means that two writers fight.",
    remedy=(
        Step(
            "Read the object anew and write again.",
            run=(
                "kubectl",
                "get",
                "<kind>",
                "<name>",
                "-n",
                "{namespace}",
                "--show-managed-fields",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If it comes again and again, see in managedFields who else writes, and leave the object to one of them."
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions",),
    ask="kubectl get <kind> <name> -n {namespace} --show-managed-fields -o yaml",
)
