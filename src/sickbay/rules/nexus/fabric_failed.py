from sickbay.model.fabric import (
    ExternalNetwork,
    Interconnect,
    InternalNetwork,
    L2IsolationDomain,
    L3IsolationDomain,
    NetworkFabric,
    RoutePolicy,
)
from sickbay.model.nexus import NexusEntity
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Step, each

_BAD = {"failed", "rejected", "errorprovisioning", "errordeprovisioning"}


def _failed(entity: NexusEntity) -> Match | None:
    if not entity.is_unwell and (entity.configuration_state or "").casefold() not in _BAD:
        return None
    return Match(
        f"{entity.name} is {entity.provisioning_state}, its configuration {entity.configuration_state}",
        cites=(
            entity.cite("properties.provisioningState", entity.provisioning_state),
            entity.cite("properties.configurationState", entity.configuration_state),
        ),
    )


@each(NetworkFabric, SYMPTOM)
def fabric_is_failed(fabric: NetworkFabric, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(fabric)


@each(L3IsolationDomain, SYMPTOM)
def l3_domain_is_failed(domain: L3IsolationDomain, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(domain)


@each(L2IsolationDomain, SYMPTOM)
def l2_domain_is_failed(domain: L2IsolationDomain, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(domain)


@each(InternalNetwork, SYMPTOM)
def internal_network_is_failed(network: InternalNetwork, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(network)


@each(ExternalNetwork, SYMPTOM)
def external_network_is_failed(network: ExternalNetwork, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(network)


@each(Interconnect, SYMPTOM)
def interconnect_is_failed(interconnect: Interconnect, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(interconnect)


@each(RoutePolicy, SYMPTOM)
def route_policy_is_failed(policy: RoutePolicy, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(policy)


RULE = Rule(
    title="A resource of the network fabric is Failed, or its configuration was rejected",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        fabric_is_failed,
        l3_domain_is_failed,
        l2_domain_is_failed,
        internal_network_is_failed,
        interconnect_is_failed,
        route_policy_is_failed,
        external_network_is_failed,
    ),
    why="The last change of a fabric, isolation domain or internal or external network did not pass validation or did not reach the devices. What was wrong is in the details of its last operation and in the activity log.",
    remedy=(
        Step(
            "Read the last operation of the resource.",
            run=(
                "az",
                "resource",
                "show",
                "--ids",
                "{subject}",
                "--query",
                "properties.lastOperation",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read the activity log.",
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
            "Correct the value that it names with an update (a second create is refused), and commit the fabric.",
            risk=Risk.DISRUPTIVE,
            verify="az resource show --ids {subject} wants provisioningState and configurationState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/concepts-network-fabric-resource-update-commit",
    ),
    leads_to=("nexus.network_failed",),
)
