from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The outbound type of the cluster contradicts what hangs on its subnet (NAT gateway, route table)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"\b(?:TooManyCustomRouteTables|SubnetMissingRouteTableAssociation|CustomRouteTableCannotCrossSubscription|UnsupportedOutboundType|UpdatingOutboundTypeNotAllowed|InvalidUserDefinedRoutingWithLoadBalancerProfile|UnexpectedLoadBalancerSkuForCurrentOutboundConfiguration|SLBRequiredFor\w+|PrivateClusterNotSupportedWithBasicLoadBalancer|(?:Managed|UserAssigned)NATGatewayWith\w+NotAllowed|SubnetNotAssociatedWithNATGateway|NATGatewayNotAssociatedWithPublicIPOrIPPrefix|ExistingRouteTableInSubnetNotSupported|RouteTable(?:MissingDefaultRouteError|InvalidNextHop)|UDRWithNodePublicIPNotAllowed)\b|\bSubnets?AssociatedWithNAT[Gg]ateway\w{0,60}|\b(?:ExistingRouteTableNotAssociatedWithSubnet|InvalidOutboundTypeParameters|NatGatewayNotAssociatedWithSubnet|UserAssignedNATGatewayNotAssociated\w*)\b|(?i:(?:NAT ?gateway|UserDefinedRouting) is not supported (?:with|for|on|in|when)\b)|(?i:outbound ?type \S{3,40} (?:is not allowed|cannot be used|requires|conflicts)\b|(?:a|the) (?:nat gateway|route table) (?:must be|is not|has not been) associated with (?:the )?(?:agent ?pool )?subnet)",
            says="the outbound type does not fit what is associated with the subnet",
            sample="RESPONSE 400: 400 Bad Request ERROR CODE: SubnetsAssociatedWithNATgatewayWhenOutboundTypeIsStandardLoadBalancer",
            near_miss="The subnet is associated with NAT gateway ng-hub, outboundType userAssignedNATGateway",
        ),
    ),
    why="Each outbound type needs its own arrangement on the subnets of the pools: `loadBalancer` none that takes the traffic away, `userAssignedNATGateway` a NAT gateway on every subnet, `userDefinedRouting` a route table with a default route. AKS refuses a cluster whose subnets are arranged for another type.",
    remedy=(
        Step(
            "Look up the subnets of the pools, and on each with `az network vnet subnet show --ids` its natGateway and routeTable.",
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
                "[].vnetSubnetId",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Choose the outbound type that fits (`--outbound-type userAssignedNATGateway` with a NAT gateway, `userDefinedRouting` with a route table), or take the other one off the subnet.",
            verify="the same request is accepted",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/egress-outboundtype",),
    leads_to=("aks.operation_failed", "aso.not_ready"),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile -o json",
)
