from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The name of a workload cluster breaks the naming rules: lower-case letters, digits and hyphens",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)'(?P<cluster>[^']{1,80})' is not a valid (?:cluster|node ?pool) name\. Names must be lowercase",
            says="the name {cluster} is not allowed",
            sample="'My-Cluster' is not a valid cluster name. Names must be lowercase and match the regular expression pattern: '^[a-z0-9][a-z0-9-]*[a-z0-9]$'",
            near_miss="'my-cluster' is a valid cluster name.",
        ),
    ),
    why="Names become parts of Kubernetes objects and host names, so only lower-case letters, digits and hyphens are taken, with a letter or digit at both ends.",
    remedy=(
        Step(
            "Choose another name instead of {cluster}, and repeat the command.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-arc",),
)
