from sickbay.model.arc import Appliance
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    SYMPTOM,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(Appliance, SYMPTOM)
def ended_in_failure(appliance: Appliance, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not appliance.failed_to_upgrade:
        return Clear(f"the status of {appliance.name} is {appliance.status or 'not given'}")
    return Match(
        f"{appliance.name} is in status {appliance.status}",
        cites=(appliance.cite("properties.status", appliance.status),),
    )


RULE = Rule(
    title="The upgrade of the resource bridge failed",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        ended_in_failure,
        Signature(
            pattern=r"(?i)\b(?P<status>ETCDSnapshotFailed|UpgradeClusterExtensionFailedToDelete)\b|(?:appliance|resource ?bridge|ResourceConnector|\barb\b).{0,200}?\bUpgradeFailed\b|\bUpgradeFailed\b.{0,120}?(?:appliance|resource ?bridge|ResourceConnector)|Upgrade Operation Failed with error|'?az arcappliance upgrade \w+'? failed|\bPreflightcheckErrorOnPrem\b",
            says="the upgrade ended in failure",
            sample="az arcappliance show: status UpgradeFailed, provisioningState Succeeded",
            near_miss="az arcappliance show: status UpgradeComplete, provisioningState Succeeded",
            weight=SYMPTOM,
        ),
    ),
    why="An upgrade takes a snapshot of etcd, builds a second VM on the reserved address (k8snodeippoolend), moves the control plane and deletes the first. UpgradeFailed, ETCDSnapshotFailed, UpgradeClusterExtensionFailedToDelete and ImageUnknown say at which step it ended; why, stands in the events and in the error of the operation: credentials, privileges, space, a changed inventory path, or the ways between the two VM addresses.",
    remedy=(
        Step(
            "See state, status and events.",
            run=(
                "az",
                "arcappliance",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See which version is offered.",
            run=(
                "az",
                "arcappliance",
                "get-upgrades",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what the error names; the bridge must be Running, with 200 GB free on the datastore, 35 GB in the VM, valid credentials, the inventory path of the files, and 6443, 2379, 2380, 10250, 10257 and 10259 open between both VM addresses.",
        ),
        Step(
            "Repeat the upgrade.",
            run=(
                "az",
                "arcappliance",
                "upgrade",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/upgrade",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=("aks.operation_failed",),
)
