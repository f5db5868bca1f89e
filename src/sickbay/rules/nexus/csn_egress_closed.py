from sickbay.model.nexus import CloudServicesNetwork, same_word
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(CloudServicesNetwork, TYPICAL)
def lets_nothing_out(network: CloudServicesNetwork, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    default = network.enable_default_egress_endpoints
    if default is None:
        return None
    if not same_word(str(default), "False") or network.additional_egress_endpoints:
        return Clear(f"{network.name} has egress endpoints")
    return Match(
        f"{network.name} has its default egress endpoints off and no other",
        cites=(network.cite("properties.enableDefaultEgressEndpoints", default),),
    )


RULE = Rule(
    title="A cloud services network lets nothing out: it has no egress endpoints",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION),
    detect=(lets_nothing_out,),
    why="The proxy of a cloud services network passes only names in its egress list. With the default endpoints off and none added, the Arc agents and the nodes reach neither Azure nor a registry.",
    remedy=(
        Step(
            "Turn the default endpoints on.",
            run=(
                "az",
                "networkcloud",
                "cloudservicesnetwork",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--enable-default-egress-endpoints",
                "True",
            ),
            risk=Risk.SAFE,
            verify="az networkcloud cloudservicesnetwork show -g {resource_group} -n {name} wants enabledEgressEndpoints that are not empty",
        ),
        Step("Add the names that the workload needs to additionalEgressEndpoints."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/quickstarts-tenant-workload-prerequisites",
    ),
    leads_to=("hybrid.agent_never_reported", "hybrid.cluster_offline", "hybrid.cluster_failed"),
)
