from sickbay.model.nexus import NexusCluster
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Step, each


@each(NexusCluster, SYMPTOM)
def site_is_failed(site: NexusCluster, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    bad = (site.detailed_status or "").casefold() in {"failed", "degraded"}
    if not bad and not site.is_unwell:
        return None
    reason = site.detailed_status_message
    return Match(
        f"site {site.name} is {site.provisioning_state} ({site.detailed_status})"
        + (f": {reason[:200]}" if reason else ""),
        facts={"site": site.name},
        cites=(
            site.cite("properties.provisioningState", site.provisioning_state),
            site.cite("properties.detailedStatus", site.detailed_status),
        ),
    )


RULE = Rule(
    title="A Nexus cluster (site) is Failed or Degraded",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(site_is_failed,),
    why="A deployment, an upgrade or the health of the machines left the site in a bad state. The detailed status message, the action states and the machines tell which.",
    remedy=(
        Step(
            "Read message and last actions.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{site}",
                "--query",
                "{message:detailedStatusMessage,actions:actionStates,conditions:conditions}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Look at the machines of the site.",
            run=("az", "networkcloud", "baremetalmachine", "list", "-o", "table"),
            risk=Risk.READ,
            verify="az networkcloud cluster show -g {resource_group} -n {site} wants detailedStatus Running",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-configure-cluster",),
)
