from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Public addresses for the nodes (node public IP, prefix) are refused or too few",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:enable ?-?node ?-?public ?-?ip|node public ip(?: prefix| tags)?|nodePublicIPPrefix(?:ID)?)\b.{0,160}?(?:\binvalid\b|not (?:supported|allowed|valid|found)|cannot|requires?|must)|\bInvalidPublicIPPrefix(?:ID|Size)\w*\b",
            says="the nodes get no public address",
            sample="(BadRequest) Node public IP prefix requires enableNodePublicIP to be true for agent pool np1",
            near_miss="Node public IP prefix p has 16 addresses, 3 of them used",
            unless=r"(?i)\bpolic|quota|limit reached",
        ),
    ),
    why="A pool with node public addresses takes one for each node, surge nodes included, from Azure or from your prefix, which must be of SKU Standard, in the region of the cluster and large enough. It is fixed when the pool is made, and private clusters with user-defined routing cannot have it.",
    remedy=(
        Step(
            "See how large the prefix is, and what uses it.",
            run=(
                "az",
                "network",
                "public-ip",
                "prefix",
                "show",
                "--ids",
                "<prefix-id>",
                "--query",
                "{length:prefixLength,used:publicIPAddresses[].id}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make a pool with a larger prefix, or without addresses of its own.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--enable-node-public-ip",
                "--node-public-ip-prefix-id",
                "<prefix-id>",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-node-public-ips",),
    leads_to=("aks.request_refused",),
    ask="az network public-ip prefix show --ids <prefix-id> -o json",
)
