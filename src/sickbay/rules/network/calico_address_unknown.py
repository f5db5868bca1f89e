from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="calico-node does not find the address of its node (IP autodetection), and does not start",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"Unable to auto-?detect an? (?:valid )?IPv(?P<family>[46]) address|Couldn't autodetect an IPv(?P<version>[46]) address",
            says="calico-node found no address to use",
            sample="[ERROR][9] startup/startup.go: Unable to auto-detect an IPv4 address using interface regexes [eth0]: no valid host interfaces found",
            near_miss="[INFO][9] startup/startup.go: Using autodetected IPv4 address on interface eth0: 10.224.0.4/16",
        ),
    ),
    why="calico-node picks the address of its node by a method: the first interface that fits, one that matches a name or a range, or the one that reaches a target. The interface has another name on this machine (several network cards, accelerated networking, another image), is down, or the range is not that of the subnet.",
    remedy=(
        Step(
            "See the method that is set.",
            run=("kubectl", "get", "installation", "default", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Take the address that Kubernetes has for the node, whatever the interface is called.",
            run=(
                "kubectl",
                "patch",
                "installation",
                "default",
                "--type=merge",
                "-p",
                '{"spec":{"calicoNetwork":{"nodeAddressAutodetectionV4":{"kubernetes":"NodeInternalIP"}}}}',
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n calico-system -l k8s-app=calico-node wants every pod ready",
        ),
    ),
    docs=(
        "https://docs.tigera.io/calico/latest/networking/ipam/ip-autodetection",
        "https://learn.microsoft.com/azure/aks/use-byo-cni",
    ),
    leads_to=("network.cni_agent_down", "kubernetes.cni_not_ready", "kubernetes.crash_loop"),
    ask="kubectl get installation default -o yaml",
)
