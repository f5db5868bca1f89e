from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The private DNS zone of the cluster could not be reconciled",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)Reconcil\w+ private ?dns(?: zone)? failed|private ?dns ?zone .{0,120}?InternalOperationError|privateDNS\w*Reconciler retry failed|\bReconcilePrivateDNS\w*(?:Failed|Error)\b|\bCreatePrivateDNSZone\w*(?:Failed|Error)\b",
            says="the private DNS zone could not be reconciled",
            sample="ReconcilePrivateDNSFailed: Reconcile private dns failed. Details: InternalOperationError",
            near_miss="Reconcile private dns succeeded",
            weight=SYMPTOM,
        ),
    ),
    why="A private cluster keeps the record of its API server in a private DNS zone that is linked to the network of the nodes. AKS could not write the zone, its record or its link; a missing role, a lock, a policy or another zone of the same name is behind it.",
    remedy=(
        Step(
            "See the zones and their links.",
            run=("az", "network", "private-dns", "zone", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Read the failed operations of the group that holds the zone.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{node_resource_group}",
                "--status",
                "Failed",
                "--offset",
                "7d",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/private-link/troubleshoot-private-endpoint-connectivity",
        "https://learn.microsoft.com/azure/aks/private-clusters",
    ),
    leads_to=("aks.operation_failed",),
)
