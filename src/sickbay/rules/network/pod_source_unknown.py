from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Other networks cannot answer pods: their addresses are not translated or routed back (ip-masq-agent)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)\bpods?\b.{0,160}?(?:cannot|can't|can not|unable to|not able to|fails? to).{0,60}?(?:reach|access|connect|route|ping|telnet).{0,120}?\b(?:on-?prem\w*|express ?route|vpn|peered|data ?cent(?:er|re))\b.{0,300}?\b(?:nodes?|VMs?|hosts?)\b.{0,60}?\b(?:can|able|works?|reach)|\b(?:nodes?|VMs?|hosts?)\b.{0,80}?\b(?:can|able to|works?)\b.{0,80}?\bon-?prem\w*.{0,200}?\bpods?\b.{0,60}?(?:cannot|can't|can not|unable|not)|nonMasqueradeCIDRs?.{0,160}?(?:missing|wrong|not (?:include|contain|working)|cannot|unable)",
            says="pods do not get an answer from another network, nodes do",
            sample="Pods are unable to access on-prem services over Express Route, the nodes are able to reach them",
            near_miss="Pods and nodes reach on-prem services over Express Route",
            weight=TYPICAL,
        ),
    ),
    why="A pod's packets leave the node with the pod's own address where ip-masq-agent (nonMasqueradeCIDRs) does not translate it. The network behind a VPN, ExpressRoute or peering does not know that range (kubenet, overlay), or its firewall allows only the node subnet, so that answers never come back; nodes use their own address and work.",
    remedy=(
        Step(
            "See which ranges are not translated.",
            run=(
                "kubectl",
                "get",
                "configmap",
                "-n",
                "kube-system",
                "azure-ip-masq-agent-config-reconciled",
                "azure-ip-masq-agent-config",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Take the remote range out of nonMasqueradeCIDRs (config map azure-ip-masq-agent-config), so that it sees the address of the node; or route the pod range back and allow it in the firewall there.",
        ),
        Step(
            "Look at the packets on the node.",
            run=(
                "kubectl",
                "debug",
                "node/<node>",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/busybox:1.36",
            ),
            risk=Risk.SAFE,
            verify="a connection from a pod to the remote address is answered",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/concepts-network",
        "https://github.com/Azure/ip-masq-agent-v2",
    ),
    leads_to=("network.connection_times_out",),
    ask="kubectl get configmap -n kube-system azure-ip-masq-agent-config-reconciled -o yaml",
)
