from sickbay.model.arc import Appliance
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


@each(Appliance, TYPICAL)
def waits_for_heartbeat(appliance: Appliance, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if appliance.word not in {"waitingforheartbeat", "waitforheartbeat"}:
        return Clear(f"the status of {appliance.name} is {appliance.status or 'not given'}")
    # A bridge that has only just been created waits for a while as well.
    return Match(
        f"{appliance.name} is in status {appliance.status}",
        cites=(appliance.cite("properties.status", appliance.status),),
    )


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
