from sickbay.model.aks import AgentPool
from sickbay.model.azure import Subnet
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import usable
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

# What azure-cns asks for at a time.
BATCH = 16


@each(AgentPool)
def has_no_block_left(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:
    if not pool.pod_subnet_id or pool.is_stopped:
        return None
    subnet = snapshot.get(arm(pool.pod_subnet_id), Subnet)
    if subnet is None:
        return None
    room = sum(usable(prefix) for prefix in subnet.prefixes if ":" not in prefix)
    used = len(subnet.ip_configurations or ())
    if not room or not used:
        return None
    arithmetic = f"pod subnet {subnet.name} has {room} usable addresses, and {used} are used"
    if room - used >= BATCH:
        return Clear(arithmetic)
    return Match(
        f"{arithmetic}: fewer than the {BATCH} that a node asks for are left",
        facts={"subnet": subnet.name},
        cites=(subnet.cite("properties.ipConfigurations", f"{used} of {room}"),),
        felt_as=("kubernetes.container_creating_stuck", "kubernetes.cni_addresses_exhausted"),
    )


RULE = Rule(
    title="The pod subnet has no free address left for the nodes to take (azure-cns, SubnetFull)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.SCALING),
    detect=(
        has_no_block_left,
        Signature(
            pattern=r"(?i:nodenetworkconfig.{0,300}?subnet ?(?:is )?full)|NCUpdateSubnetFullError|NC Status: ?\w*SubnetFull|\bInsufficientSubnetSpace\b|(?i:subnet (?P<subnet>[\w./-]{1,200}) (?:is )?(?:exhausted|full)).{0,80}?(?i:cns|nodenetworkconfig|pod)",
            says="azure-cns gets no more addresses, because the pod subnet is full",
            sample='plugin type="azure-vnet" failed (add): IPAM Invoker Add failed with error: Failed to get IP address from CNS: AllocateIPConfig failed: not enough IPs available for 9c6a7f37-dd43-4f7c-a01f-1ff41653609c, waiting on Azure CNS to allocate more with NC Status: NCUpdateSubnetFullError',
            near_miss="NodeNetworkConfig updated with NC Status: NCUpdateSuccess, 16 addresses assigned",
        ),
    ),
    why="With dynamic allocation azure-cns takes addresses for its node from the pod subnet in blocks of 16. When the subnet is full it gets none (`NCUpdateSubnetFullError`, `InsufficientSubnetSpace`), and pods of every node that has used up its block stay in ContainerCreating.",
    remedy=(
        Step(
            "See what each node has taken of the pod subnet.",
            run=("kubectl", "get", "nodenetworkconfigs", "-n", "kube-system", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "As a quick measure remove idle nodes and pods, which gives their blocks back.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "For good, add a pool whose pods take another, larger subnet.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "<pool>",
                "--vnet-subnet-id",
                "<node-subnet-id>",
                "--pod-subnet-id",
                "<larger-pod-subnet-id>",
            ),
            verify="kubectl get pods -A shows no pod in ContainerCreating",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/configure-azure-cni-dynamic-ip-allocation",
        "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning",
    ),
    leads_to=("kubernetes.cni_addresses_exhausted", "kubernetes.container_creating_stuck"),
    ask="kubectl get nodenetworkconfigs -n kube-system -o wide",
    spreads=True,
)
