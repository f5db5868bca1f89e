from sickbay.model.nexus import NexusCluster, same_word
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


@each(NexusCluster)
def update_is_paused(site: NexusCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not same_word(site.detailed_status, "UpdatePaused"):
        return Clear(f"the detailed status of {site.name} is {site.detailed_status}")
    return Match(
        f"the runtime upgrade of {site.name} is paused: {site.detailed_status_message or 'no message'}",
        facts={"site": site.name},
        cites=(site.cite("properties.detailedStatus", site.detailed_status),),
    )


RULE = Rule(
    title="The runtime upgrade of a Nexus cluster is paused and waits for its operator (UpdatePaused)",
    severity=Severity.INFO,
    categories=(Category.UPGRADE,),
    detect=(
        update_is_paused,
        Signature(
            pattern=r"(?i)\bdetailed ?Status\W{1,6}UpdatePaused\b(?P<site>)",
            says="the upgrade is paused",
            sample='"detailedStatus": "UpdatePaused", "provisioningState": "Succeeded"',
            near_miss='"detailedStatus": "Updating", "provisioningState": "Updating"',
            weight=TYPICAL,
        ),
    ),
    why="With the strategy PauseAfterRack an upgrade stops after each rack until somebody lets it go on, and with every strategy it stops where too few machines of a rack came back. Until it continues, racks run different runtime versions, and no other upgrade can start.",
    remedy=(
        Step(
            "See after which rack it stopped, and with which strategy.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "[detailedStatusMessage,updateStrategy]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the machines of the racks that are done are Provisioned and ready.",
            run=("az", "networkcloud", "baremetalmachine", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Let the upgrade go on.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "continue-update-version",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud cluster show wants detailedStatus Running",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-cluster-runtime-upgrade",),
    ask="az networkcloud cluster list -o json",
)
