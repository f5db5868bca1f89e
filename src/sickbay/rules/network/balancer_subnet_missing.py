from sickbay.model.aks import AgentPool
from sickbay.model.azure import Subnet, VirtualNetwork
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

SUBNET = "service.beta.kubernetes.io/azure-load-balancer-internal-subnet"


@each(Service)
def names_no_subnet(service: Service, snapshot: Snapshot) -> Match | Clear | None:
    name = service.annotations.get(SUBNET, "")
    if service.spec.type != "LoadBalancer" or not name or "/" in name:
        return None
    own = sorted({pool.vnet_subnet_id for pool in snapshot.some(AgentPool) if pool.vnet_subnet_id})
    if not own:
        return None
    network = own[0].rpartition("/subnets/")[0]
    whole, wanted = snapshot.find(arm(network)), arm(f"{network}/subnets/{name}")
    # A network that is shown whole shows all its subnets.
    listed = isinstance(whole, VirtualNetwork) and bool(whole.subnets)
    if snapshot.find(wanted) if listed else snapshot.get(wanted, Subnet):
        return Clear(f"subnet {name} exists in {network.rpartition('/')[2]}")
    return Match(
        f"{service.namespace}/{service.name} asks for an address in subnet {name}, which {network.rpartition('/')[2]} does not have",
        cites=(service.cite("metadata.annotations", name),),
    )


RULE = Rule(
    title="The subnet that an internal load balancer asks for does not exist in the network of the cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        names_no_subnet,
        Signature(
            pattern=r"failed to get subnet: ?(?P<network>[\w.-]+)/(?P<subnet>[\w.-]+)|(?:load balancer|loadBalancers?).{0,400}?subnet \"?(?P<name>[\w.-]+)\"? (?:was |is )?not found",
            says="the subnet for an internal load balancer was not found",
            sample="Error syncing load balancer: failed to ensure load balancer: failed to get subnet: vnet/snet-ilb",
            near_miss="Error syncing load balancer: failed to ensure load balancer: EOF",
        ),
    ),
    why="The annotation azure-load-balancer-internal-subnet names a subnet that the virtual network of the cluster does not hold: a typing error, a subnet of another network, or one that was deleted.",
    remedy=(
        Step(
            "See which subnet the service asks for.",
            run=(
                "kubectl",
                "get",
                "services",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "List the subnets of the network.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "list",
                "-g",
                "<group>",
                "--vnet-name",
                "<network>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step("Correct the annotation, or create the subnet.", verify="the service gets an address"),
    ),
    leads_to=("kubernetes.load_balancer_fails", "kubernetes.load_balancer_pending"),
    docs=("https://learn.microsoft.com/azure/aks/internal-lb",),
    ask="az network vnet subnet list -g <group> --vnet-name <network> -o table",
)
