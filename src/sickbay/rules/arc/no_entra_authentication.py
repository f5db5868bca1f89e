from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The resource bridge is of a version without Entra (AAD) authentication and must be redeployed",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)Appliance cluster is not deployed with AAD authentication",
            says="the bridge has no Entra authentication",
            sample="Appliance cluster is not deployed with AAD authentication",
            near_miss="Appliance cluster is deployed with AAD authentication",
        ),
    ),
    why="Operations from Azure sign in to the appliance with Entra ID (AAD). A bridge of a version before 0.2.25 was deployed without it, and only a new deployment with the current script brings it.",
    remedy=(
        Step(
            "See the version.",
            run=(
                "az",
                "arcappliance",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Redeploy the bridge with the current onboarding script.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/system-center-virtual-machine-manager/troubleshoot-scvmm",
    ),
)
