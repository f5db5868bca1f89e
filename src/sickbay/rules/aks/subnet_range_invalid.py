from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The address range of a subnet lies outside its network, or overlaps another subnet",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bNetcfg(?:InvalidSubnet|SubnetRangesOverlap)\b|\bSubnetsNotInSameVnet\b|(?i:Subnet '(?P<subnet>[\w.-]+)' is not valid in virtual network '(?P<network>[\w.-]+))|(?i:all agent ?pools must use subnets? (?:from|in) the same (?:vnet|virtual network))",
            says="the address range of a subnet is refused",
            sample="(NetcfgInvalidSubnet) Subnet 'aks' is not valid in virtual network 'shop-vnet'.",
            near_miss="Subnet 'aks' was created in virtual network 'shop-vnet'",
        ),
    ),
    why="The range of a subnet must lie inside the address space of its network and must not touch that of another subnet; all node pools of a cluster must use subnets of one network. Azure does not say which of these is hurt.",
    remedy=(
        Step(
            "See the address space and the subnets that are taken.",
            run=(
                "az",
                "network",
                "vnet",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "<network>",
                "--query",
                "[addressSpace.addressPrefixes,subnets[].addressPrefix]",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step("Choose a free range of the network, or add a range to its address space first."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq",
        "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
        "aso.request_refused",
        "aso.not_ready",
    ),
    ask="az network vnet show -g {resource_group} -n <network> -o json",
)
