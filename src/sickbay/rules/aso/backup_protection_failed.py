from sickbay.model.aso import AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_BAD = ("error", "failed", "invalid")


@each(AsoObject)
def protection_has_failed(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    properties = thing.status.properties
    protection = properties.protection_status if properties else None
    state = (protection and protection.status) or ""
    if not state:
        return None
    if not any(word in state.casefold() for word in _BAD):
        return Clear(f"the protection of {thing.name} is in state {state}")
    return Match(
        f"backup instance {thing.name} exists, and its protection is in state {state}",
        facts={"state": state},
        cites=(thing.cite("status.properties.protectionStatus.status", state),),
    )


RULE = Rule(
    title="A backup instance was created, but its protection is not configured (PostReconciliationFailure)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.CREATION),
    detect=(
        protection_has_failed,
        Signature(
            pattern=r"(?i:BackupInstance).{0,200}?(?P<state>Protection(?:Error|Stopped|\w*Failed)|ConfiguringProtectionFailed)|(?i:protection ?status).{0,20}?(?P<other>ProtectionError|ConfiguringProtectionFailed)",
            says="the protection of a backup instance is in state {state}",
            sample='Reason: PostReconciliationFailure, Severity: Warning, RetryClassification: RetrySlow, Cause: BackupVaultsBackupInstance has ProtectionStatus "ProtectionError"',
            near_miss='BackupVaultsBackupInstance has ProtectionStatus "ProtectionConfigured"',
        ),
    ),
    why="ASO calls a backup instance Ready only when its protection is configured. ProtectionError means that Azure Backup could not configure it, mostly for want of roles on the cluster, the vault and the snapshot group, or because the backup extension does not run.",
    remedy=(
        Step(
            "Read the error of the protection.",
            run=(
                "az",
                "dataprotection",
                "backup-instance",
                "list",
                "-g",
                "{resource_group}",
                "--vault-name",
                "<vault>",
                "--query",
                "[].properties.protectionStatus",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Grant the roles or repair the extension that the error names; ASO looks again by itself.",
            verify="the backup instance reaches ProtectionConfigured, and kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/backup/azure-kubernetes-service-backup-troubleshoot",),
    leads_to=("aso.not_ready",),
    ask="az dataprotection backup-instance list -g {resource_group} --vault-name <vault>",
)
