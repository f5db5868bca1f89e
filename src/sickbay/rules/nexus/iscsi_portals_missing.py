from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A volume cannot be mapped: the node found too few iSCSI portals",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)required at least (?P<wanted>\d+) portals but found (?P<found>\d+) portals",
            says="the node found {found} of {wanted} iSCSI portals",
            sample="MapVolume.SetUpDevice rpc error: code = Internal desc = required at least 2 portals but found 0 portals",
            near_miss="rpc error: code = Internal desc = found 2 portals",
        ),
    ),
    why="A Nexus volume is reached over two iSCSI portals of the storage appliance. After a runtime upgrade the iSCSI name of a node can have changed, so that its sessions are not accepted and no portal is found; the pod stays in ContainerCreating.",
    remedy=(
        Step(
            "Find the attachment of the volume.",
            run=("kubectl", "get", "volumeattachment"),
            risk=Risk.READ,
        ),
        Step(
            "Cordon the node, so that the pod starts elsewhere.",
            run=("kubectl", "cordon", "{node}"),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Delete the stale attachment, then the pod.",
            run=("kubectl", "delete", "volumeattachment", "<attachment>"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -A -o wide wants the pod Running on another node",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-csn-storage-pod-container-stuck-in-creating",
    ),
)
