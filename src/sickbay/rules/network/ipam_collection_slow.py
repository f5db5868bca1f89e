from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.node import AddressStore, Sandboxes
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Cite, Clear, Match, Risk, Rule, Severity, Step, each


@each(AddressStore)
def keeps_addresses_of_ended(store: AddressStore, snapshot: Snapshot) -> Match | Clear | None:
    if store.is_outdone(snapshot):
        return None
    balance = store.balance(snapshot)
    if not balance.is_much(balance.left_over):
        return Clear(str(balance))
    if not balance.is_told:
        raise UnseenError(
            Gap(
                Sandboxes.kind,
                f"which sandboxes of {store.whose} have exited",
                to_open="crictl pods -o json",
            )
        )
    if not balance.is_much(balance.of_exited) or balance.of_nobody >= balance.of_exited:
        return Clear(str(balance))
    return Match(
        str(balance),
        {"node": store.node},
        (Cite(store.ref, "", f"given to sandboxes that exited: {store.left_behind(snapshot)}"),),
        subject=store.ill,
    )


RULE = Rule(
    title="Pods are created faster than the garbage of ended ones is collected, so addresses stay taken",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(keeps_addresses_of_ended,),
    why="An address is free again when the sandbox of the ended pod has been torn down. Here the entries of the IPAM store belong to sandboxes that exist but have exited: garbage collection of the kubelet is slower than the creation of pods (short jobs, crash loops), so that the addresses run out for a while.",
    remedy=(
        Step(
            "See which workloads make so many pods on the node.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "--field-selector",
                "spec.nodeName={node}",
                "--sort-by=.metadata.creationTimestamp",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let ended pods go sooner: set ttlSecondsAfterFinished on jobs, lower their history limits, and mend what crashes.",
            verify="crictl pods --state NotReady lists fewer sandboxes",
        ),
        Step(
            "On nodes that you configure yourself, make the kubelet collect ended containers sooner (minimum-container-ttl-duration, maximum-dead-containers-per-container).",
        ),
        Step(
            "At once, remove the sandboxes that have exited, on the node.",
            run=("crictl", "rmp", "<sandbox-id>"),
            risk=Risk.DISRUPTIVE,
            verify="new pods on {node} leave ContainerCreating",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
        "https://kubernetes.io/docs/concepts/architecture/garbage-collection/#containers-images",
    ),
    leads_to=("kubernetes.cni_addresses_exhausted", "kubernetes.container_creating_stuck"),
)
