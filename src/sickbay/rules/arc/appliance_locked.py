from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A management lock on the resource bridge, its group or subscription blocks its upgrade",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"\bApplianceResourceScopeLocked\b|\bARB is locked, (?P<locks>\d+) locks? found|(?i:arcappliance.{0,400}?\bScopeLocked\b)",
            says="a lock stands on the resource bridge",
            sample="ERROR: (ApplianceResourceScopeLocked) A ReadOnly or CanNotDelete lock was found on the appliance resource scope.",
            near_miss="ARB is not locked as expected.",
        ),
    ),
    why="An upgrade writes to the Azure resource of the bridge and replaces its extensions. A ReadOnly or CanNotDelete lock on it, on its resource group or on the subscription forbids that, and the upgrade stops at once (ApplianceResourceScopeLocked).",
    remedy=(
        Step(
            "List the locks of all three levels.",
            run=(
                "az",
                "lock",
                "list",
                "-g",
                "{resource_group}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Agree with whoever set it, and remove the lock where it is defined.",
            run=(
                "az",
                "lock",
                "delete",
                "--ids",
                "<lock-id>",
            ),
            risk=Risk.SAFE,
            verify="az lock list -g {resource_group} is empty",
        ),
        Step(
            "Repeat the update, and set the lock again afterwards.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/upgrade",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/lock-resources",
    ),
    leads_to=(
        "arc.upgrade_failed",
        "aks.resource_locked",
    ),
    ask="az lock list -g {resource_group}",
)
