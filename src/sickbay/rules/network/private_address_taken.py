from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The private IP address of the request is already in use: Azure has allocated it to another resource",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"\bPrivateIPAddress(?:Is)?(?:InUse|Allocated)\b|(?i:private (?:static )?IP address (?P<address>[\d.]{7,15}) (?:which )?is already (?:allocated|assigned|in use|used))",
            says="the private IP address {address} is in use",
            sample="PrivateIPAddressInUse: IP configuration cfg is using the private IP address 10.0.0.4 which is already allocated to resource /subscriptions/0/resourceGroups/net/providers/Microsoft.Network/networkInterfaces/nic0/ipConfigurations/cfg.",
            near_miss="PrivateIPAddressNotInSubnet: Private static IP address 10.9.0.4 does not belong to the range of subnet prefix 10.0.0.0/24.",
        ),
        Signature(
            pattern=r"(?i)is using the private IP address (?P<address>[\d.]{7,15}) which is already allocated to resource (?P<holder>/subscriptions/[\w.()/-]*\w)",
            says="{address} belongs to {holder}",
            sample="IP configuration cfg is using the private IP address 10.0.0.4 which is already allocated to resource /subscriptions/0/resourceGroups/net/providers/Microsoft.Network/loadBalancers/kubernetes-internal/frontendIPConfigurations/a.",
            near_miss="IP configuration cfg is using the private IP address 10.0.0.4 of the subnet",
        ),
    ),
    why="Each address of a virtual network belongs to one network interface, load balancer frontend, private endpoint or gateway. The spec (a static address, or loadBalancerIP of a service) asks for one that another resource holds; it may be left over from something that was deleted only in part. Azure takes the first four addresses and the last one of each subnet for itself.",
    remedy=(
        Step(
            "See which addresses of the network are free around the one that is wanted.",
            run=(
                "az",
                "network",
                "vnet",
                "check-ip-address",
                "-g",
                "{resource_group}",
                "-n",
                "<network>",
                "--ip-address",
                "<address>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask for a free address, or let Azure choose (dynamic); remove the resource that holds it only when nothing uses it any more.",
            verify="the same request wants to succeed",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/virtual-network/ip-services/private-ip-addresses",
        "https://learn.microsoft.com/cli/azure/network/vnet#az-network-vnet-check-ip-address",
    ),
    leads_to=(
        "kubernetes.load_balancer_fails",
        "aso.request_refused",
        "aso.not_ready",
        "aso.invalid_value",
    ),
    ask="az network vnet check-ip-address -g {resource_group} -n <network> --ip-address <address>",
)
