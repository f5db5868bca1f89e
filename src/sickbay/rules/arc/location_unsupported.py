from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The region does not support connected clusters: choose a supported location",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S0104\b|Connected cluster resource creation is supported only in the following locations:? (?P<locations>[\w, ]{3,300})",
            says="only these locations are supported: {locations}",
            sample="Connected cluster resource creation is supported only in the following locations: eastus, westeurope. Use the --location flag to specify one of these locations.",
            near_miss="Connected cluster resource creation in location eastus succeeded",
        ),
    ),
    why="Connected cluster resources can be created in certain regions only; the message lists them.",
    remedy=(
        Step(
            "Connect with one of the listed regions.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--location",
                "<region>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",),
)
