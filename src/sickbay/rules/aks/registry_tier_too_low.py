from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The feature needs a container registry of the Premium tier, and this one is Basic or Standard",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)`?(?:network_rule_set|georeplications?|georeplication_locations|quarantine_policy\w*|retention_policy\w*|trust_policy\w*|export_policy\w*|zone_redundancy\w*|data_endpoint_enabled|public_network_access_enabled|network_rule_bypass\w*|encryption|anonymous_pull_enabled)`? .{0,80}?\b(?:can only be (?:specified|applied|used|disabled|enabled|set)|only supported|require[sd]?)\b.{0,40}?(?:Premium|Standard)\b.{0,12}?Sku|(?:an |ACR |registry )?(?:geo-?replication|network rule|private endpoint|private link|zone redundancy|customer.managed key|dedicated data endpoint|retention polic|content trust|firewall|connected registr)[\w\s]{0,60}? (?:is|are) only (?:supported|available) .{0,40}?(?:Premium|managed registries in Premium)",
            says="the tier of the registry lacks the feature",
            sample="Error: `network_rule_set` can only be specified for a Premium Sku.",
            near_miss="The registry was upgraded: network_rule_set is set, sku Premium",
        ),
    ),
    why="Network rules, private endpoints, geo-replication, zone redundancy, own keys and retention of untagged manifests belong to the Premium tier of Azure Container Registry. Going down from Premium fails as well, as long as one of them is still set.",
    remedy=(
        Step(
            "See the tier of the registry.",
            run=("az", "acr", "show", "--name", "<registry>", "--query", "sku.name"),
            risk=Risk.READ,
        ),
        Step(
            "Raise it, which costs more and interrupts nothing, or take the setting out of the configuration.",
            run=("az", "acr", "update", "--name", "<registry>", "--sku", "Premium"),
            risk=Risk.SAFE,
            verify="az acr show wants Premium",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/container-registry/container-registry-skus",),
    ask="az acr show --name <registry> -o json",
)
