from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A premium disk cannot be attached: the VM size of the node has no premium storage",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)VM size (?P<size>[\w-]+) does not support the storage account type (?P<type>\w+) of disk '?(?P<disk>[\w.-]*)|does not support (?:the )?storage account type (?P<other>Premium\w+)",
            says="VM size {size} does not take disks of type {type}",
            sample="OperationNotAllowed: Requested operation cannot be performed because the VM size Standard_D4_v3 does not support the storage account type Premium_LRS of disk 'pvc-0d7740b9'. Consider updating the VM to a size that supports Premium storage.",
            near_miss="The VM size Standard_D4s_v3 supports the storage account type Premium_LRS of disk 'pvc-0d7740b9'",
        ),
    ),
    why="Premium SSDs (class managed-csi-premium) hang only on VM sizes with premium storage, which have an s in their name (Standard_D4s_v5); this node is of another size.",
    remedy=(
        Step(
            "See the sizes of the nodes.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-L",
                "node.kubernetes.io/instance-type",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use a class with a standard disk (managed-csi) for this claim, or run the pod on a pool of a size with premium storage.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--node-vm-size",
                "Standard_D4s_v5",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
        "https://learn.microsoft.com/azure/virtual-machines/disks-types",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
