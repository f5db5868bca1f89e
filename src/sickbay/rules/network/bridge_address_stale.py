from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The bridge of a node (cni0) carries an address of another pod range",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"failed to set bridge addr(?:ess)?: \"?(?P<bridge>[\w.-]+)\"? already has an IP address different from (?P<range>[\d.]+/\d+)",
            says="{bridge} has an address that differs from {range}",
            sample='plugin type="bridge" failed (add): failed to set bridge addr: "cni0" already has an IP address different from 10.244.2.1/24',
            near_miss='"cni0" already has the IP address 10.244.2.1/24',
        ),
    ),
    why="The node has been given another pod range, but the bridge that the plugin made still has its old address, so no pod of the new range can be attached to it.",
    remedy=(
        Step(
            "Drain the node, delete the bridge (ip link delete cni0) and restart the kubelet; or replace the node."
        ),
        Step(
            "See the pod range of the nodes.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-o",
                "custom-columns=NAME:.metadata.name,CIDR:.spec.podCIDR",
            ),
            risk=Risk.READ,
        ),
    ),
    leads_to=(
        "kubernetes.container_creating_stuck",
        "network.cni_setup_fails",
    ),
    docs=("https://kubernetes.io/docs/concepts/cluster-administration/networking/",),
    ask="kubectl get nodes -o custom-columns=NAME:.metadata.name,CIDR:.spec.podCIDR",
)
