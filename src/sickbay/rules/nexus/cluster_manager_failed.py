from sickbay.model.nexus import ClusterManager
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_BAD = {"error", "provisioningfailed"}


@each(ClusterManager)
def manager_is_failed(manager: ClusterManager, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not manager.is_unwell and (manager.detailed_status or "").casefold() not in _BAD:
        known = manager.detailed_status or manager.provisioning_state
        return Clear(f"cluster manager {manager.name} is {known}") if known else None
    return Match(
        f"cluster manager {manager.name} is {manager.provisioning_state} ({manager.detailed_status})",
        cites=(
            manager.cite("properties.provisioningState", manager.provisioning_state),
            manager.cite("properties.detailedStatus", manager.detailed_status),
        ),
    )


RULE = Rule(
    title="The cluster manager of a Nexus region is in error, so its sites cannot reach it",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION),
    detect=(manager_is_failed,),
    why="The cluster manager carries out in Azure what is asked of its sites. When it is in Error or its provisioning failed, every site of it shows the manager as Unreachable, and no operation passes; running workload goes on.",
    remedy=(
        Step(
            "Read why it failed.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-id",
                "{subject}",
                "--query",
                "[].properties.statusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See that the fabric controller that it stands on is Succeeded.",
            run=("az", "networkfabric", "controller", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Repair the controller and its infrastructure services; if the manager alone is in error, open a support request.",
            verify="az networkcloud clustermanager show -g {resource_group} -n {name} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-cluster-manager",),
    leads_to=("nexus.cluster_disconnected", "nexus.cluster_failed"),
)
