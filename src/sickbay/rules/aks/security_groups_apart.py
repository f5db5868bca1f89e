from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The application security groups of the node pool lie in another virtual network or region than its nodes",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\bApplicationSecurityGroups?NotOn?(?:In)?SameV(?:net|irtualNetwork)\w*|(?i:application security groups? .{0,120}?must (?:all )?be (?:from|in) the same (?:v-?net|virtual network|region|location))",
            says="the application security groups do not belong to the network of the nodes",
            sample="ApplicationSecurityGroupsNotOnSameVnet: All application security groups used in ipconfiguration must be from the same vnet.",
            near_miss="All application security groups of the ipconfiguration are from the same vnet.",
        ),
    ),
    why="An application security group belongs to the virtual network of the first network interface that was put into it, and takes no interface of another network. A pool whose networkProfile names such a group gets no machine.",
    remedy=(
        Step(
            "See which groups the pool names, and in which subnet its nodes are.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--query",
                "[].{name:name,subnet:vnetSubnetId,network:networkProfile}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Name groups that are empty or hold interfaces of that network only, in the region of the cluster, and set them on the pool (--asg-ids)."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/use-node-public-ips",
        "https://learn.microsoft.com/azure/virtual-network/application-security-groups",
    ),
    leads_to=("aks.operation_failed", "aks.pool_failed", "aks.request_refused"),
    ask="az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json",
)
