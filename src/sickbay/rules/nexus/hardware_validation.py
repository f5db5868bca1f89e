from sickbay.model.nexus import BareMetalMachine, NexusCluster, same_word
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

_DEFAULT_PERCENT = 80


def _racks(site: NexusCluster, snapshot: Snapshot) -> dict[str, list[BareMetalMachine]]:
    """The compute machines of a site that were validated, by rack."""
    racks: dict[str, list[BareMetalMachine]] = {}
    for machine in snapshot.some(BareMetalMachine):
        was_validated = machine.hardware_validation_status is not None
        is_own = (machine.cluster_id or "").casefold() == site.ref.key
        if was_validated and is_own and not machine.has_role("management-plane"):
            racks.setdefault((machine.rack_id or "").rpartition("/")[2], []).append(machine)
    return racks


@each(NexusCluster)
def too_few_passed(site: NexusCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not same_word(site.detailed_status, "Failed"):
        return Clear(f"{site.name} is {site.detailed_status}") if site.detailed_status else None
    threshold = site.compute_deployment_threshold
    wanted = threshold.value if threshold and threshold.value is not None else _DEFAULT_PERCENT
    for rack, machines in sorted(_racks(site, snapshot).items()):
        statuses = [m.hardware_validation_status for m in machines]
        failed = sum(s is not None and same_word(s.result, "Fail") for s in statuses)
        passed = len(machines) - failed
        if failed and passed * 100 < wanted * len(machines):
            return Match(
                f"{passed} of {len(machines)} compute machines of {rack or site.name} passed hardware validation, and {wanted} percent are wanted",
                cites=(site.cite("properties.computeDeploymentThreshold.value", wanted),),
            )
    return Clear(f"enough machines of {site.name} passed hardware validation")


RULE = Rule(
    title="Fewer machines passed hardware validation than the deployment threshold wants",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        too_few_passed,
        Signature(
            pattern=r"(?i)HardwareValidationThresholdFailed|hardware validation threshold for cluster layout plan is not met(?: for cluster (?P<site>[\w.$-]+))?.{0,80}?listed failed devices (?P<devices>[\w, .$-]{1,200})",
            says="too few machines passed hardware validation",
            sample="HardwareValidationThresholdFailed error hardware validation threshold for cluster layout plan is not met for cluster site1 in namespace nc-system with listed failed devices rack1compute01, rack1compute02",
            near_miss="hardware validation threshold for cluster layout plan is met for cluster site1",
        ),
        Signature(
            pattern=r"(?i)\b(?:cluster|nexus|BMM|bare ?-?metal|rack\w*|machine|device|node)s?\b.{0,80}?\bhardware ?-?validation (?:has |have )?failed\b|\bhardware ?-?validation (?:has |have )?failed (?:for|on) (?:the )?(?:cluster|machine|bare ?-?metal|BMM|rack|node)",
            says="machines failed hardware validation",
            sample="Cluster hardware validation failed: 1 of 4 control plane nodes failed",
            near_miss="Cluster hardware validation passed: 4 of 4 control plane nodes passed",
            weight=TYPICAL,
        ),
    ),
    why="A deployment needs all control-plane and management machines and, by default, 80 percent of the compute machines of each rack to pass hardware validation (HardwareValidationThresholdFailed). The devices that failed are listed in the message; what failed in each is in the table HWVal_CL of the workspace.",
    remedy=(
        Step(
            "See how many machines must pass.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "computeDeploymentThreshold",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the failing machines.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "list",
                "--query",
                "[].{name:name,result:hardwareValidationStatus.result,message:detailedStatusMessage}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repair them, or lower the threshold where the missing machines can wait, and deploy again.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "deploy",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud cluster show -g {resource_group} -n {name} wants detailedStatus Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-hardware-validation-failure",
    ),
    leads_to=("nexus.cluster_failed",),
    ask="az networkcloud baremetalmachine list -o table",
)
