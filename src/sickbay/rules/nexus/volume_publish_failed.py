from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The storage of a Nexus site does not attach a volume to a node",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)failed to handle ControllerPublishVolume",
            says="the storage controller could not attach the volume",
            sample="rpc error: code = Internal desc = failed to handle ControllerPublishVolume",
            near_miss="rpc error: code = Internal desc = ControllerPublishVolume done",
        ),
        Signature(
            pattern=r"\bAttachmentFailures(?:Degraded|Unhealthy)\b",
            says="Azure reports failing volume attachments",
            sample="Resource health: AttachmentFailuresUnhealthy",
            near_miss="Resource health: AttachmentsHealthy",
        ),
    ),
    why="The CSI controller asks the storage appliance to let a node attach the volume. That fails while the volume is still attached to another node, mostly one that died, or while the appliance is not reachable (AttachmentFailures).",
    remedy=(
        Step(
            "See where the volume is attached.",
            run=("kubectl", "get", "volumeattachment"),
            risk=Risk.READ,
        ),
        Step(
            "If the old node is gone, delete it so that its attachments are released.",
            run=("kubectl", "delete", "node", "<old-node>"),
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get volumeattachment wants ATTACHED true on the new node",
        ),
        Step("If every volume is affected, look at the health of the storage appliance."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-failed-volume-attachments",
    ),
)
