from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Storage pods of the Nexus platform (CSI or NFS) are unhealthy",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"\b(?P<what>NFSPod(?:Degraded|Unhealthy)|CSIControllerUnhealthy|CSINode(?:Degraded|Unhealthy))\b",
            says="the platform reports {what}",
            sample="Resource health: CSINodeDegraded",
            near_miss="Resource health: CSINodeHealthy",
        ),
    ),
    why="The pods that serve shared storage (NFS) or attach volumes (CSI controller and node) do not run on every machine, so volumes cannot be mounted where they are missing.",
    remedy=(
        Step(
            "See the health event.",
            run=(
                "az",
                "rest",
                "--method",
                "get",
                "--url",
                "https://management.azure.com{subject}/providers/Microsoft.ResourceHealth/availabilityStatuses/current?api-version=2023-07-01-preview",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Look at the machines that lost them; the pods come back with a machine. If all machines are well, open a support request.",
            run=("az", "networkcloud", "baremetalmachine", "list", "-o", "table"),
            risk=Risk.READ,
            verify="the resource health of the cluster wants Available",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-failed-volume-attachments",
    ),
    leads_to=("nexus.volume_publish_failed",),
    ask="az networkcloud baremetalmachine list -o table",
)
