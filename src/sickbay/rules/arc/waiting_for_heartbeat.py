from sickbay.model.arc import Appliance, ApplianceTarget
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
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


@each(Appliance)
def waits_for_heartbeat(appliance: Appliance, snapshot: Snapshot) -> Match | Clear | None:
    if appliance.word not in {"waitingforheartbeat", "waitforheartbeat"}:
        return Clear(f"the status of {appliance.name} is {appliance.status or 'not given'}")
    says = f"{appliance.name} is in status {appliance.status}"
    cites = (appliance.cite("properties.status", appliance.status),)
    for target in _targets(snapshot):
        if difference := _difference(appliance, target):
            return Match(f"{says}, and {difference}", cites=cites)
    # A bridge that has only just been created waits for a while as well.
    return Match(says, cites=cites, weight=TYPICAL)


def _targets(snapshot: Snapshot) -> tuple[ApplianceTarget, ...]:
    return snapshot.some(ApplianceTarget) if snapshot.holds(ApplianceTarget.kind) else ()


def _difference(appliance: Appliance, target: ApplianceTarget) -> str:
    if (target.resource or "").casefold() != appliance.name.casefold():
        return ""
    pairs = (
        ("location", appliance.location, target.location),
        ("subscription", appliance.ref.subscription, target.subscription),
        ("resource group", appliance.ref.group, target.resource_group),
    )
    for what, there, here in pairs:
        if there and here and there.replace(" ", "").casefold() != here.replace(" ", "").casefold():
            return f"its {what} is {there}, but the file of the appliance says {here}"
    return ""


RULE = Rule(
    title="The resource bridge stays in WaitForHeartBeat: Azure waits for an appliance with other settings",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        waits_for_heartbeat,
        Signature(
            pattern=r"(?i)\bWait(?:ing)?ForHeart[Bb]eat\b",
            says="the bridge waits for a heartbeat",
            sample="az arcappliance show: status WaitForHeartBeat, provisioningState Created",
            near_miss="az arcappliance show: status Running, provisioningState Succeeded",
            weight=TYPICAL,
        ),
    ),
    why="Location, subscription and names are given at creation and are immutable. When only the Azure resource is created anew without a redeployed appliance VM, Azure waits for a heartbeat (WaitingForHeartbeat, WaitForHeartBeat) that the VM sends elsewhere; delete, correct the files and redeploy.",
    remedy=(
        Step(
            "Compare location and subscription of the resource with <name>-resource.yaml.",
            run=(
                "az",
                "arcappliance",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "[location,id,status]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete what the failed attempt left, correct the configuration files, and deploy again.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
        Step(
            "Create the resource with the corrected files.",
            run=(
                "az",
                "arcappliance",
                "create",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
                "--kubeconfig",
                "<kubeconfig>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
)
