from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The AKSNodeClass of node auto-provisioning (Karpenter) is missing or not ready",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.NODES),
    detect=(
        Signature(
            pattern=r"\bvnetSubnetID does not match the cluster\b|custom subnet cannot be in the same VNet as cluster managed VNet|Failed to parse vnetSubnetID|\bSubnetIDInvalid\b|\bDiskEncryptionSetRBACMissing\b|\bSIGRequiredFor\w+|FIPS images require UseSIG|ImageSelectors did not match any Images|AzureContainerLinux requires an AKS Machine API|controlling identity does not have Reader role on Disk Encryption Set|\bSubnetsReady=False\b|\bImagesReady=False\b|\bKubernetesVersionReady=False\b|(?i:node ?class\b.{0,200}?\b(?:KubernetesVersionReady|ImagesReady|SubnetsReady|ValidationSucceeded)\W{0,8}(?:status\W{0,4})?False)|\bKubernetesVersionNotReady\b",
            says="a setting of the AKSNodeClass is refused",
            sample="AKSNodeClass default: SubnetsReady False SubnetIDInvalid: vnetSubnetID does not match the cluster subscription, resource group, or virtual network: /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v2/subnets/nodes",
            near_miss="AKSNodeClass default: SubnetsReady True",
        ),
        Signature(
            pattern=r"\bNodeClassNot(?:Ready|Found)\b|NodeClass not found on cluster|NodeClassReady=False|(?i:ignoring nodepool, not ready)|(?i:resolving (?:aks)?node ?class|Failed to resolve (?:AKS)?NodeClass|Failed resolving NodeClass|(?:aks)?nodeclass\b.{0,60}? (?:is )?not ready)",
            says="the NodeClass of a NodePool is missing or not ready",
            sample="status: reason: NodeClassNotFound message: NodeClass not found on cluster type: NodeClassReady",
            near_miss="status: reason: NodeClassReady type: NodeClassReady status: True",
            weight=TYPICAL,
        ),
    ),
    why="A NodePool takes image, disk and subnet of its nodes from an AKSNodeClass. While that does not exist under the name of `nodeClassRef`, or one of its conditions is False (a subnet of another network, an image or Kubernetes version that is not offered, no Reader role on the disk encryption set), Karpenter ignores the NodePool and makes no node.",
    remedy=(
        Step(
            "Read the conditions.",
            run=("kubectl", "describe", "aksnodeclasses.karpenter.azure.com"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the field that its message names (group, kind and name in `nodeClassRef`; `vnetSubnetID` within the cluster's network; `imageFamily`), or grant the role.",
            run=("kubectl", "edit", "aksnodeclasses.karpenter.azure.com"),
            risk=Risk.SAFE,
            verify="kubectl get aksnodeclasses wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/node-autoprovision-aksnodeclass",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-node-auto-provision",
    ),
    leads_to=("aks.provisioner_unfit", "aks.node_claim_failed", "kubernetes.pod_pending"),
    ask="kubectl describe aksnodeclasses.karpenter.azure.com",
)
