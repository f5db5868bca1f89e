from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="clusterctl lacks a variable that the provider or the cluster template needs",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"value for variables? \[(?P<variables>[\w, ]{1,300})\] is not set|failed to perform variable substitution",
            says="not set: {variables}",
            sample='Error: failed to get provider components for the "azure" provider: failed to perform variable substitution: value for variables [AZURE_SUBSCRIPTION_ID_B64] is not set. Please set the value using os environment variables or the clusterctl config file',
            near_miss="value for variables [AZURE_SUBSCRIPTION_ID_B64] is set",
        ),
    ),
    why="clusterctl fills the placeholders of a manifest from the environment or its configuration file, and applies nothing while one is missing. Variables of a shell that were not exported, a new shell, sudo or a pipeline step without them have the same effect.",
    remedy=(
        Step(
            "Export the variables that the message names, in the shell that runs clusterctl; `clusterctl generate cluster <name> --list-variables` lists those of a template.",
            verify="clusterctl goes on",
        ),
    ),
    docs=("https://cluster-api.sigs.k8s.io/user/quick-start.html",),
)
