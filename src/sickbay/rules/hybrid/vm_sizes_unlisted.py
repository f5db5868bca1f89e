from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The list of VM sizes was never made for the custom location: a size is answered with 404",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)HybridContainerService/(?:skus|vmSkus)(?:/default)?\b.{0,160}?(?:\b404\b|not found|ResourceNotFound|could not be found)|(?:\b404\b|ResourceNotFound).{0,200}?HybridContainerService/(?:skus|vmSkus)\b",
            says="the list of sizes does not exist",
            sample="ResourceNotFound: The Resource 'Microsoft.HybridContainerService/skus/default' under custom location cl1 was not found (404).",
            near_miss="The Resource 'Microsoft.HybridContainerService/skus/default' under custom location cl1 was read (200).",
            weight=TYPICAL,
        ),
    ),
    why="The sizes of a custom location are kept in the resource skus/default (vmSkus), which is made when they are listed for the first time. A command with --node-vm-size reads it and gets 404 before that.",
    remedy=(
        Step(
            "List the sizes once, which makes the resource.",
            run=("az", "aksarc", "vmsize", "list", "--custom-location", "<custom-location-id>"),
            risk=Risk.SAFE,
            verify="the command wants a list of sizes",
        ),
        Step("Repeat the command that failed."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-vmware-known-issues",),
    leads_to=("aks.resource_not_found",),
    ask="az aksarc vmsize list --custom-location <custom-location-id>",
)
