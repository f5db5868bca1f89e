from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The settings of the Application Gateway add-on (AGIC, ingress-appgw) in the request are not valid",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bIngressAppGwAddonConfig\w+\b|(?i:ingress-?appgw|ingressApplicationGateway)\b.{0,160}?(?i:\binvalid\b|cannot|not (?:supported|allowed|valid)|must|required|mutually|overlap)|(?i:\bSKU (?:tier |name )?of (?:the )?application gateway \S{1,80} must be)|(?i:--appgw-(?:id|name|subnet-\w+|watch-namespace)\b.{0,100}?(?:invalid|cannot|must|required|mutually))",
            says="the settings of the ingress-appgw add-on are refused",
            sample="IngressAppGwAddonConfigInvalidSubnetCIDRNotContainedWithinVirtualNetwork: Subnet Prefix '10.9.0.0/16' specified for IngressApplicationGateway addon is not contained within the AKS Agent Pool's Virtual Network address prefixes '[10.224.0.0/12]'.",
            near_miss="addon ingressApplicationGateway is enabled with gateway appgw1",
            unless=r"(?i)subscription is not registered|since feature |Unauthorized|forbidden",
        ),
    ),
    why="The add-on takes one of: the id of an existing gateway, or a name with a subnet (its id, or a CIDR within the network of the nodes that overlaps no other subnet). It needs Azure CNI or an overlay that is supported, and the gateway must be of a v2 SKU in the same or a peered network.",
    remedy=(
        Step(
            "See the network's subnets, and choose a free range within it.",
            run=(
                "az",
                "network",
                "vnet",
                "show",
                "--ids",
                "<network-id>",
                "--query",
                "{space:addressSpace,subnets:subnets[].addressPrefix}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enable the add-on with a gateway that exists, or a range that fits.",
            run=(
                "az",
                "aks",
                "enable-addons",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-a",
                "ingress-appgw",
                "--appgw-name",
                "<gateway>",
                "--appgw-subnet-cidr",
                "<free-cidr>",
            ),
            risk=Risk.SAFE,
            verify="az aks addon show -a ingress-appgw wants enabled",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/application-gateway/tutorial-ingress-controller-add-on-existing",
    ),
    leads_to=("aks.request_refused",),
    ask="az aks addon list -g {resource_group} -n {cluster} -o json",
)
