from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network plugin keeps addresses of pods that are gone (IPAM leak)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"/var/lib/cni/networks\S{0,80}.{0,120}?wc -l (?P<held>\d{3,})\b.{0,300}?wc -l (?P<pods>\d{1,2})\b",
            says="the IPAM store holds {held} entries for {pods} running pods",
            sample="cd /var/lib/cni/networks/kubenet && ls -al | wc -l\n258\ndocker ps | grep POD | wc -l\n7",
            near_miss="cd /var/lib/cni/networks/kubenet && ls -al | wc -l\n12\ndocker ps | grep POD | wc -l\n7",
        ),
        Signature(
            pattern=r"(?i)(?:cni|ipam|azure-vnet).{0,200}?failed to (?:release|deallocate) (?:the )?(?:ip|address|addresses|ip config)",
            says="the network plugin could not release the address of a pod",
            sample="2026/01/12 10:11:12 [azure-vnet-ipam] Failed to release address, err:Address not in use",
            near_miss="2026/01/12 10:11:12 [azure-vnet-ipam] Released address 10.240.0.17",
            weight=TYPICAL,
        ),
    ),
    why="Addresses are returned when a pod's sandbox is deleted; a defect of the plugin, a crash of the node or very fast creation of pods leaves entries behind, until none is free although few pods run.",
    remedy=(
        Step(
            "Compare the entries of the IPAM store with the pods of the node.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "ls",
                "/host/var/lib/cni/networks",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Drain and reimage the node, which empties the store.",
            run=(
                "az",
                "vmss",
                "reimage",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="new pods on {node} leave ContainerCreating",
        ),
        Step(
            "Upgrade the node image, which brings the newest plugin.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "{pool}",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
    ),
    leads_to=("kubernetes.cni_addresses_exhausted", "kubernetes.container_creating_stuck"),
    ask="kubectl get pods -A --field-selector spec.nodeName={node} -o wide",
)
