from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A property of a Nexus resource was to be changed that cannot be changed after creation",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?:\bNNI\b|network ?to ?network ?interconnects?|isolation ?domains?|internal ?networks?|external ?networks?|Microsoft\.(?:NetworkCloud|ManagedNetworkFabric)|l[23]networks?|cloudservicesnetworks?|trunkednetworks?|defaultcninetworks?|kubernetesclusters?).{0,200}?\b(?P<property>[A-Za-z][\w.\[\]]{1,80})\W{1,3}(?:field |property |value )?(?:is immutable|is (?:an )?immutable|cannot be (?:changed|updated|modified|patched)|can't be (?:changed|updated|modified)|(?:is not|isn't) (?:updatable|patchable|allowed to be (?:changed|updated)))",
            says="{property} cannot be changed",
            sample="NNI patch failed: the property nniType cannot be changed after creation.",
            near_miss="NNI patch done: the property importRoutePolicy was changed.",
            unless=r"(?i)StatefulSet|spec\.selector|managedClusters",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?P<property>ip ?Address ?Pools?|bgpServiceLoadBalancerConfiguration|l2ServiceLoadBalancerConfiguration)\b.{0,80}?(?:is immutable|are immutable|immutable|cannot be (?:changed|updated|modified)|(?:is|are) not allowed to (?:be )?change)",
            says="the address pools of a load balancer cannot be changed",
            sample="Kubernetes cluster update refused: ipAddressPools cannot be changed after the cluster was created.",
            near_miss="Kubernetes cluster update accepted: ipAddressPools have 2 pools.",
            weight=TYPICAL,
        ),
    ),
    why="Most properties of a network, isolation domain, interconnect (NNI) or Nexus Kubernetes cluster are immutable: fixed when it is created. Of an NNI only the layer 2 configuration, prefix limits, monitoring, route policies and ACLs can be updated; the address pools of a load balancer only through the load balancer resource of newer API versions.",
    remedy=(
        Step(
            "Compare the request with what exists, and leave {property} as it is.",
            run=("az", "resource", "show", "--ids", "{subject}", "--query", "properties"),
            risk=Risk.READ,
        ),
        Step(
            "If the value must change, delete the resource and create it again.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {subject} wants the new value and provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-update-network-to-network-interconnect",
        "https://learn.microsoft.com/azure/operator-nexus/howto-kubernetes-service-load-balancer",
    ),
)
