from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A driver or the cloud provider does not find the machine of a node in Azure (instance not found)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.NODES),
    detect=(
        Signature(
            pattern=r"failed to get node address from cloud provider: instance not found|failed to get azure instance id for node \"?(?P<node>[\w.-]+)|\bfailed to get (?:instance|vmss|vm) (?:id|name|info|set)? ?(?:for|of|by) node \"?(?P<instance>[\w.-]+)\"?.{0,200}?(?i:not found)",
            says="the machine of node {node} is not found in Azure",
            sample='AttachVolume.Attach failed for volume "pv-azuredisk" : rpc error: code = NotFound desc = failed to get azure instance id for node "k3s-vm0" (instance not found)',
            near_miss='AttachVolume.Attach succeeded for volume "pv-azuredisk" on node "k3s-vm0"',
            weight=TYPICAL,
        ),
    ),
    why="The driver looks the node up in Azure by subscription, resource group and kind of machine from its cloud configuration (azure.json). The machine was deleted while its node object is left, or, in a cluster of one's own, `resourceGroup`, `vmType`, `subscriptionId` or the node's name differ from the machine's.",
    remedy=(
        Step(
            "See the provider id of the nodes.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-o",
                "custom-columns=NAME:.metadata.name,ID:.spec.providerID",
            ),
            risk=Risk.READ,
        ),
        Step(
            "A node whose machine is gone: delete the node object, and the stale attachments with it.",
            run=("kubectl", "delete", "node", "{node}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get volumeattachments lists none of that node",
        ),
        Step("In a cluster of your own: correct azure.json, and restart the driver."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/azure-disk-csi",),
    leads_to=(
        "kubernetes.mount_failed",
        "kubernetes.load_balancer_fails",
        "kubernetes.volume_reclaim_failed",
    ),
    ask="kubectl get nodes -o wide",
)
