from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure CLI or its aks-preview extension is too old to know the OS SKU (AzureLinux)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)'?(?P<sku>AzureLinux\w*|Ubuntu2\d+|Windows20\d\d|Mariner)'? is not a valid value for '--os-sku'|(?:AzureLinux\w*|Windows2025|Ubuntu2404) (?:is )?not supported for OS ?SKU",
            says="the tool does not know the OS SKU",
            sample="az aks nodepool add: 'AzureLinux' is not a valid value for '--os-sku'. Allowed values: Ubuntu, CBLMariner.",
            near_miss="az aks nodepool add --os-sku AzureLinux: Succeeded",
        ),
    ),
    why="OS SKUs such as AzureLinux are newer than the Azure CLI or the aks-preview extension at hand, which refuses the value before anything is sent, or sends it under an API version that does not have it.",
    remedy=(
        Step(
            "See the versions.",
            run=(
                "az",
                "version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Update the CLI.",
            run=(
                "az",
                "upgrade",
                "--yes",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Update the extension, or remove it.",
            run=(
                "az",
                "extension",
                "update",
                "--name",
                "aks-preview",
            ),
            risk=Risk.SAFE,
            verify="az version wants a newer aks-preview",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-common-azure-linux-aks",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.image_size_mismatch",
    ),
    ask="az version",
)
