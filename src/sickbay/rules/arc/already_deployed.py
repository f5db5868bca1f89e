from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A resource bridge of an earlier attempt is still deployed: delete it first",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?:KVA)?AlreadyDeployed(?:Customer)?Error",
            says="an earlier deployment is still there",
            sample="KVAAlreadyDeployedCustomerError: The appliance is already deployed. Delete it and try again.",
            near_miss="DeployedSuccessfully: the appliance is deployed",
        ),
    ),
    why="Artifacts of an earlier deployment are still there (AlreadyDeployedError). A bridge cannot be deployed over another one; it has to be deleted with the configuration files that it was made from.",
    remedy=(
        Step(
            "Delete the earlier bridge.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Deploy again.",
            run=(
                "az",
                "arcappliance",
                "deploy",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
)
