from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ASO waits for an operation of an object whose ARM id it has not noted (annotation resource-id)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)error updating status: resource has no resource id\b",
            says="the object has no resource id",
            sample="error updating status: resource has no resource id",
            near_miss="updated the status: resource has the resource id /subscriptions/1",
            weight=TYPICAL,
        ),
    ),
    why="ASO keeps the ARM id and the token of a running operation in annotations of the object (serviceoperator.azure.com/resource-id, poller-resume-token). When the id is missing - a restore or copy of the YAML, a tool that writes annotations back, or a failure of an older release between its two writes - ASO cannot read the state of the resource, and stays there.",
    remedy=(
        Step(
            "See the annotations.",
            run=("kubectl", "get", "<kind>/<name>", "-n", "<namespace>", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Remove the token, so that ASO sends the request anew and notes the id.",
            run=(
                "kubectl",
                "annotate",
                "<kind>/<name>",
                "-n",
                "<namespace>",
                "serviceoperator.azure.com/poller-resume-token-",
                "serviceoperator.azure.com/poller-resume-id-",
            ),
            risk=Risk.SAFE,
            verify="the annotation serviceoperator.azure.com/resource-id is there and Ready is True",
        ),
        Step(
            "Leave annotations of serviceoperator.azure.com out of Git, backups and copies, but for the ones that users set (credential-from, reconcile-policy).",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/annotations/",),
    leads_to=("aso.not_ready",),
    ask="kubectl get azure -A -o yaml",
)
