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
def is_offline_or_failed(appliance: Appliance, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not appliance.is_unwell or appliance.failed_to_upgrade or appliance.failed_to_update:
        return Clear(f"{appliance.name} is {appliance.status or appliance.provisioning_state}")
    return Match(
        f"{appliance.name} is in status {appliance.status}, provisioning state "
        f"{appliance.provisioning_state}",
        facts={"state": appliance.status or appliance.provisioning_state or ""},
        cites=(appliance.cite("properties.status", appliance.status),),
    )


RULE = Rule(
    title="The Arc resource bridge is offline or in a failed state",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        is_offline_or_failed,
        Signature(
            pattern=r"(?i)(?:appliance|resource bridge) .{0,60}?(?:status|state)\W{0,4}(?: is)? ?'?(?P<state>Offline|Disconnected)\b|resource bridge (?:\S{1,300} )?is (?:offline|disconnected|not running|unreachable|not reachable)|resource bridge \S{1,300} associated with this vCenter is currently unavailable|appliance is (?:offline|not in running state)|ResourceBridge Status *= *(?:Offline|Disconnected)",
            says="the bridge is in state {state}",
            sample="The operation failed because the resource bridge status is Offline",
            near_miss="The resource bridge status is Running",
            weight=SYMPTOM,
        ),
    ),
    why="Azure shows a bridge as Offline when its heartbeats stay away, and as Failed when an operation on it ended badly; VMs behind it cannot be managed meanwhile. After about 45 days offline the key inside the appliance cannot be renewed any more, and it has to be redeployed.",
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
            "See whether the appliance VM runs and answers.",
            run=(
                "ping",
                "<appliance-vm-ip>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restart the appliance VM when nothing else is found; if it was offline for more than 45 days, redeploy it.",
            risk=Risk.DISRUPTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/maintenance",
    ),
    leads_to=("hybrid.update_step_failed",),
)
