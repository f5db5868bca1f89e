from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Nodes of a Nexus Kubernetes cluster could not be scheduled: the site lacks free machines",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
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
            unless=r"(?i)Insufficient (?:cpu|memory)\b|ZonalAllocation|AllocationFailed|managedClusters|to onboard to arc|pods stuck in pending state",
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
