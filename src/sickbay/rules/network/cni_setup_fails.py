from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network plugin of a node fails to connect a pod to the network",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"plugin type=\"?(?P<plugin>[\w.-]+)\"?(?: name=\"?[\w.-]+\"?)? failed \((?:add|delete)\): (?P<reason>.{3,160})|(?i:networkPlugin (?:cni|kubenet)) failed to (?:set up|teardown) pod \"?(?P<pod>[\w.-]+)\"? network: (?P<cause>.{3,160})|(?i:networkPlugin (?:cni|kubenet)) failed on the status hook|(?:failed to set ?up|failed to destroy) network for sandbox",
            says="the network plugin failed",
            sample='failed to setup network for sandbox "1": plugin type="azure-vnet" failed (add): Failed to create endpoint: Failed to add route: network is unreachable',
            near_miss='plugin type="azure-vnet" finished (add)',
            weight=SYMPTOM,
        ),
    ),
    why="The kubelet has asked the CNI plugin for an interface, an address and routes, and the plugin ended with an error of its own. The words behind it say at which step: interface, route, iptables or namespace.",
    remedy=(
        Step(
            "See which nodes are affected.",
            run=(
                "kubectl",
                "get",
                "events",
                "-A",
                "--field-selector",
                "reason=FailedCreatePodSandBox",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read the log of the plugin on the node.",
            run=(
                "kubectl",
                "debug",
                "node/<node>",
                "-it",
                "--image=mcr.microsoft.com/cbl-mariner/busybox:2.0",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restart the agent of the plugin; replace the node if it stays.",
            verify="the pod is Running",
        ),
    ),
    leads_to=("kubernetes.container_creating_stuck",),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/welcome-azure-kubernetes",
    ),
    vague=True,
)
