from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The static egress gateway does not work with Azure CNI Pod Subnet",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)static (?:egress )?gateway .{0,160}?(?:not supported|unsupported|incompatible).{0,120}?pod ?subnet|pod ?subnet.{0,160}?not supported.{0,80}?(?:static|egress) gateway",
            says="the egress gateway was refused with pod subnets",
            sample="(BadRequest) Static egress gateway is not supported with Azure CNI pod subnet.",
            near_miss="Static egress gateway was enabled.",
            weight=TYPICAL,
        ),
    ),
    why="The gateway routes pods by the pod CIDR of their node; pods with addresses of a subnet of their own (podSubnetID) are not covered.",
    remedy=(
        Step(
            "See which pools have a pod subnet.",
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
                "[].{name:name,pods:podSubnetId}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use a cluster with Azure CNI overlay for egress gateways, or a NAT gateway for a fixed outbound address.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-egress-gateway",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json",
)
