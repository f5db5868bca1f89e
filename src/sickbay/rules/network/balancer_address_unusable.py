from sickbay.model.aks import ManagedCluster
from sickbay.model.routing import PublicIPAddress
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_NOTES = "service.beta.kubernetes.io/azure-"
_INTERNAL = f"{_NOTES}load-balancer-internal"


@each(Service)
def names_absent_address(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    notes, balancer = service.annotations, service.status.load_balancer
    name = notes.get(f"{_NOTES}pip-name", "")
    if service.spec.type != "LoadBalancer" or not name or notes.get(_INTERNAL) == "true":
        return None
    if balancer and balancer.ingress:
        return Clear(f"service {service.namespace}/{service.name} has an address")
    clusters = snapshot.some(ManagedCluster)
    # Of several clusters nothing says whose service it is.
    cluster = clusters[0] if len(clusters) == 1 else None
    group = notes.get(f"{_NOTES}load-balancer-resource-group", "") or (
        (cluster and cluster.node_resource_group) or ""
    )
    if cluster is None or not group:
        return None
    scope = f"/subscriptions/{cluster.ref.subscription}/resourceGroups/{group}"
    snapshot.require(PublicIPAddress, scope)
    known = snapshot.some(PublicIPAddress)
    named = [one for one in known if one.name.casefold() == name.casefold()]
    if any(one.ref.group.casefold() == group.casefold() for one in named):
        return Clear(f"public address {name} exists")
    also = f" (one of that name is in {named[0].ref.group})" if named else ""
    return Match(
        f"service {service.namespace}/{service.name} asks for public address {name}, and resource group {group} has none of that name{also}",
        facts={"pip": name},
        cites=(service.cite("metadata.annotations.azure-pip-name", name),),
    )


RULE = Rule(
    title="The address that a service asks for cannot be used by its load balancer (missing, taken, other SKU or subnet)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        names_absent_address,
        Signature(
            pattern=r"(?i)user supplied IP Address (?P<address>[\d.]+) was not found|user supplied pip name (?P<pip>[\w.-]+) was not found|(?:no|cannot find) public IP (?:with|named) .{1,120}? (?:found|in resource group)|findMatchedPIP\w*: cannot find public IP|PublicIP from annotation .{1,200}? (?:doesn\'t|does not) exist|\bPublicIPReferencedByMultipleIPConfigs\b|\bLoadBalancerSkuCannotBeChanged\w*|\bCannotMixIPAddressTypes\w*|load ?balancer.{0,200}?is not a (?:private|public) IP|cannot find public IP with IP address (?P<missing>[\d.]+) in resource group (?P<group>[\w.()-]+)|load ?balancer.{0,600}?\b(?:PrivateIPAddress(?:IsAllocated|InReservedRange|NotInSubnet|InUse)|PublicIPAddressInUse)\b|PrivateIPAddressIsAllocated.{0,400}?frontendIPConfigurations|(?:failed to ensure load ?balancer|LoadBalancersClient|frontendIPConfigurations?).{0,600}?\bPrivateIPAddressNotInSubnet\b|DifferentSkuLoadBalancersAndPublicIPAddressNotAllowed|(?:Standard|Basic) sku publicIp \S{3,300} referenced by (?:Basic|Standard) sku load ?balancer|PublicIPAndLBSkuDoNotMatch",
            says="the load balancer of a service cannot have the address that was asked for",
            sample="Error syncing load balancer: failed to ensure load balancer: user supplied IP Address 20.50.1.2 was not found in resource group MC_shop_aks_westeurope",
            near_miss="Error syncing load balancer: failed to ensure load balancer: instance not found",
        ),
    ),
    why="A service can only get a public IP that exists in the node resource group (or in the group that its annotation names), is unused, and is of the SKU of the load balancer; an internal one only a free address of its subnet, outside the first four and the last.",
    remedy=(
        Step(
            "See which public addresses there are, with SKU and use.",
            run=("az", "network", "public-ip", "list", "--output", "table"),
            risk=Risk.READ,
        ),
        Step(
            "If it lies in another resource group, name that group at the service, and give the cluster identity Network Contributor there.",
            run=(
                "kubectl",
                "annotate",
                "service",
                "<service>",
                "-n",
                "{namespace}",
                "service.beta.kubernetes.io/azure-load-balancer-resource-group=<group>",
                "--overwrite",
            ),
        ),
        Step(
            "Or choose an address that exists, is free, lies in the subnet and has the SKU Standard.",
            verify="kubectl get service -n {namespace} shows an EXTERNAL-IP",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/static-ip",
        "https://learn.microsoft.com/azure/aks/internal-lb",
    ),
    leads_to=(
        "kubernetes.load_balancer_fails",
        "kubernetes.load_balancer_pending",
        "aso.invalid_value",
    ),
    ask="az network public-ip list --output table",
)
