from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.kubernetes import Node
from sickbay.model.node import AddressStore
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each


@each(AddressStore)
def is_used_by_running_pods(store: AddressStore, snapshot: Snapshot) -> Match | Clear | None:
    if store.is_outdone(snapshot):
        return None
    balance = store.balance(snapshot)
    if balance.is_much(balance.left_over):
        return Clear(str(balance))
    room = store.room(snapshot)
    if room is None:
        raise UnseenError(
            Gap(Node.kind, f"the range of pod addresses of {store.whose}", to_open=Node.look)
        )
    if balance.held < room:
        return Clear(f"{balance.held} of {room} addresses are given out")
    return Match(
        f"all {room} addresses of the node are given out, {balance.of_running} to sandboxes that run",
        {"node": store.node, "pool": store.pool(snapshot)},
        (Cite(store.ref, "", f"{balance.held} entries of {room} addresses"),),
        subject=store.ill,
    )


RULE = Rule(
    title="All pod addresses of a node are used by running pods: its range is too small",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.SCALING),
    detect=(is_used_by_running_pods,),
    why="Every entry of the IPAM store belongs to a sandbox that runs: nothing leaked, the node runs as many pods as it has addresses (its pod CIDR, or what Azure CNI reserved for it), and the scheduler, which knows nothing of addresses, still sends pods to it.",
    remedy=(
        Step(
            "Compare the pods that a node may run with the addresses that it has.",
            run=(
                "kubectl",
                "get",
                "node",
                "{node}",
                "-o",
                "jsonpath={.status.allocatable.pods} {.spec.podCIDR}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Spread the pods: add nodes.",
            run=(
                "az",
                "aks",
                "nodepool",
                "scale",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "{pool}",
                "--node-count",
                "<count>",
            ),
            verify="the pods that waited leave ContainerCreating",
        ),
        Step(
            "For good, make a pool whose --max-pods is not above the addresses that a node gets.",
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
                "--max-pods",
                "<number>",
            ),
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning",
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
    ),
    leads_to=("kubernetes.cni_addresses_exhausted", "kubernetes.container_creating_stuck"),
)
