from sickbay.model.nexus import (
    BareMetalMachine,
    NexusAgentPool,
    NexusEntity,
    NexusKubernetesCluster,
    NexusVirtualMachine,
    same_word,
)
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


def no_machine_is_free(wanted: NexusEntity, snapshot: Snapshot) -> Match | Clear | None:
    if not wanted.is_unwell or not wanted.custom_location:
        return None
    machines = [
        one
        for one in snapshot.some(BareMetalMachine)
        if same_word(one.custom_location, wanted.custom_location.casefold())
        and one.has_role("compute-plane")
    ]
    if not machines:
        snapshot.require(BareMetalMachine, f"/subscriptions/{wanted.ref.subscription}")
        return None
    free = [m for m in machines if not m.is_out and not same_word(m.cordon_status, "Cordoned")]
    if free:
        return Clear(f"{len(free)} compute machines of the site can take it")
    names = ", ".join(sorted(one.name for one in machines)[:6])
    return Match(
        f"no compute machine of the site can take {wanted.name}: cordoned or down are {names}",
        facts={"count": "all"},
        cites=tuple(one.cite("properties.cordonStatus", one.cordon_status) for one in machines[:4]),
    )


RULE = Rule(
    title="Nodes of a Nexus Kubernetes cluster could not be scheduled: the site lacks free machines",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        each(NexusKubernetesCluster, TYPICAL)(no_machine_is_free),
        each(NexusAgentPool, TYPICAL)(no_machine_is_free),
        each(NexusVirtualMachine, TYPICAL)(no_machine_is_free),
        Signature(
            pattern=r"(?i)\b(?P<count>[1-9]\d*) nodes? could not be scheduled",
            says="{count} node(s) found no machine",
            sample="Cluster provisioning in progress. controlplane node(s): 0 out of 1 ready, 1 nodes could not be scheduled. agentpool node(s): 0 out of 1 ready.",
            near_miss="Cluster provisioning in progress. controlplane node(s): 1 out of 1 ready, 0 nodes could not be scheduled.",
        ),
        Signature(
            pattern=r"(?i)(?:agent ?pool|node ?pool|kubernetes ?cluster|virtual ?machine|vmSkuName|NC_\w+)\b.{0,200}?\b(?:insufficient (?:capacity|resources|bare ?metal|compute|machines|hosts)|not enough (?:free )?(?:capacity|resources|machines|hosts|bare ?metal)|no (?:available |free )?(?:bare ?metal )?(?:machines?|hosts?|servers?|capacity) (?:is |are |was |with )?(?:available|left|free|found|can)|(?:lack|out) of (?:free )?(?:capacity|resources|bare ?metal)|capacity (?:is )?(?:exhausted|exceeded|unavailable|not available))(?P<count>)",
            says="the site has no room for the nodes",
            sample="Agent pool agentpool1 provisioning failed: insufficient capacity for 4 nodes of NC_G48_224_v1.",
            near_miss="Agent pool agentpool1 provisioning done: capacity for 4 nodes of NC_G48_224_v1.",
            unless=r"(?i)Insufficient (?:cpu|memory)\b|ZonalAllocation|Allocation ?Failed|Virtual Machine Scale Set|managedClusters|to onboard to arc|pods stuck in pending state",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\bErrorUnschedulable\b.{0,200}?(?P<count>\d+|X) node\(s\) didn.?t match pod topology spread constraints",
            says="a virtual machine of the cluster is unschedulable",
            sample="ErrorUnschedulable: 4 node(s) didn't match pod topology spread constraints",
            near_miss="Running: virtual machine mytest-naks1-agentpool1 found a host",
        ),
        Signature(
            pattern=r"\bErrorUnschedulable\b(?P<count>)",
            says="a virtual machine of the site is unschedulable",
            sample="mytest-naks1-agentpool1-md-x 12m ErrorUnschedulable False",
            near_miss="mytest-naks1-agentpool1-md-x 12m Running True",
            weight=TYPICAL,
        ),
    ),
    why="Each node is a virtual machine that needs a bare-metal machine with enough free cores and memory, spread evenly over racks (topology spread, at most one apart). Too few machines are on, ready and uncordoned in the racks or zones that the pool asks for, so the virtual machine stays unschedulable.",
    remedy=(
        Step(
            "See what the machines have left and which are out of service.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "list",
                "--query",
                "[].{name:name,rack:rackId,power:powerState,cordon:cordonStatus,ready:readyState}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring the missing machines back, or lower the count, choose a smaller size or other availability zones for the pool.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud kubernetescluster show -g {resource_group} -n {name} wants detailedStatus Available",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-kubernetes-cluster-vm-scheduling-topology-spread",
    ),
    leads_to=("nexus.kubernetes_cluster_failed",),
    ask="az networkcloud baremetalmachine list -o table",
)
