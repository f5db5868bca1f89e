from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.node import AddressStore, Sandboxes
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Cite,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(AddressStore)
def keeps_addresses_of_nobody(store: AddressStore, snapshot: Snapshot) -> Match | Clear | None:
    if store.is_outdone(snapshot):
        return None
    balance = store.balance(snapshot)
    is_proven = balance.is_told and balance.is_much(balance.of_nobody)
    if is_proven and balance.of_nobody >= balance.of_exited:
        return Match(
            str(balance),
            {"node": store.node, "pool": store.pool(snapshot)},
            (
                Cite(
                    store.ref,
                    "",
                    f"given to sandboxes that are gone: {store.left_behind(snapshot)}",
                ),
            ),
            subject=store.ill,
        )
    if balance.is_told or not balance.is_much(balance.left_over):
        return Clear(str(balance))
    if store.is_mostly_left(balance):
        # Numbers alone do not tell a leak from a slow collection of garbage.
        return Match(
            str(balance),
            {"node": store.node, "pool": store.pool(snapshot)},
            (Cite(store.ref, "", f"{balance.held} entries"),),
            subject=store.ill,
            weight=TYPICAL,
        )
    raise UnseenError(
        Gap(Sandboxes.kind, f"which sandboxes hold the addresses of {store.whose}", to_open=ASK)
    )


ASK = "crictl pods -o json"


RULE = Rule(
    title="The network plugin keeps addresses of pods that are gone (IPAM leak)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        keeps_addresses_of_nobody,
        Signature(
            pattern=r"/var/lib/cni/networks\S{0,80}.{0,120}?wc -l (?P<held>\d{3,})\b.{0,300}?wc -l (?P<pods>\d{1,2})\b",
            says="the IPAM store holds {held} entries for {pods} running pods",
            sample="cd /var/lib/cni/networks/kubenet && ls -al | wc -l\n258\ndocker ps | grep POD | wc -l\n7",
            near_miss="cd /var/lib/cni/networks/kubenet && ls -al | wc -l\n12\ndocker ps | grep POD | wc -l\n7",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?:cni|ipam|azure-vnet).{0,200}?failed to (?:release|deallocate) (?:the )?(?:ip|address|addresses|ip config)|(?:azure-vnet-ipam\S*|IPAM (?:store|state)|/var/lib/cni/networks\S*) .{0,160}?\bpods? (?:that|which) (?:do(?:es)? not|no longer|are) (?:exist|gone|deleted)|(?:leftovers?|stale (?:entries|addresses|IPs)|leaked (?:IPs|addresses)) .{0,60}?(?:azure-vnet-ipam|IPAM|/var/lib/cni)",
            says="the network plugin could not release the address of a pod",
            sample="2026/01/12 10:11:12 [azure-vnet-ipam] Failed to release address, err:Address not in use",
            near_miss="2026/01/12 10:11:12 [azure-vnet-ipam] Released address 10.240.0.17",
            unless=r"allowing Azure CNI to clean up",
            weight=TYPICAL,
        ),
    ),
    why="An address is returned when the sandbox of its pod is torn down. Entries of the IPAM store whose sandbox no longer exists are never returned: the plugin failed to deallocate them (a defect, or a crash of the node in between), until no address is left although few pods run.",
    remedy=(
        Step(
            "On the node, compare the entries (grep -r . /var/lib/cni/networks) with the sandboxes.",
            run=("crictl", "pods", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "Move the pods away from the node.",
            run=("kubectl", "drain", "{node}", "--ignore-daemonsets", "--delete-emptydir-data"),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Reimage the node, which empties the store.",
            run=(
                "az",
                "vmss",
                "reimage",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="new pods on {node} leave ContainerCreating",
        ),
        Step(
            "Upgrade the node image, which brings the newest plugin; if the leak comes back, report it to Microsoft.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "{pool}",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
    ),
    leads_to=("kubernetes.cni_addresses_exhausted", "kubernetes.container_creating_stuck"),
    ask="crictl pods -o json",
)
