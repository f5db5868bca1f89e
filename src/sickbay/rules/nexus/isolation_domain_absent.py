from sickbay.model.fabric import L2IsolationDomain, L3IsolationDomain
from sickbay.model.ids import arm, arm_type
from sickbay.model.nexus import (
    DefaultCniNetwork,
    L2Network,
    L3Network,
    NexusEntity,
    NexusNetwork,
    TrunkedNetwork,
)
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

_DOMAINS: dict[str, type[NexusEntity]] = {
    kind.kind.casefold(): kind for kind in (L2IsolationDomain, L3IsolationDomain)
}


def names_no_domain(network: NexusNetwork, snapshot: Snapshot) -> Match | Clear | None:
    ids = [id for id in network.stands_on() if id and arm_type(id).casefold() in _DOMAINS]
    for id in ids:
        if snapshot.get(arm(id), _DOMAINS[arm_type(id).casefold()]) is None:
            layer = arm_type(id).rpartition("/")[2][:2].lower()
            is_trunk = isinstance(network, TrunkedNetwork)
            field = "isolationDomainIds" if is_trunk else f"{layer}IsolationDomainId"
            return Match(
                f"{network.name} names the isolation domain {arm(id).name}, which does not exist",
                facts={"domain": arm(id).name, "domain_id": id},
                cites=(network.cite(f"properties.{field}", id),),
            )
    return Clear(f"the isolation domain of {network.name} exists") if ids else None


RULE = Rule(
    title="A Nexus network names an isolation domain that does not exist",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        each(DefaultCniNetwork)(names_no_domain),
        each(L3Network)(names_no_domain),
        each(L2Network)(names_no_domain),
        each(TrunkedNetwork)(names_no_domain),
        Signature(
            pattern=r"(?i)\bl[23][- ]?isolation ?-?domains?(?:[/ :]+'?(?P<domain>[\w.-]+)'?)?.{0,80}?(?:does not exist|was not found|not found|could not be found|is missing)",
            says="the isolation domain {domain} does not exist",
            sample="The L3 isolation domain l3-apps does not exist in the network fabric.",
            near_miss="The L3 isolation domain l3-apps exists in the network fabric.",
            unless=r"(?i)\btap\b",
            weight=TYPICAL,
        ),
    ),
    why="A default CNI, L3, L2 or trunked network of a site is carried by an isolation domain of the fabric. The fabric has no domain of this id: it was never created, was deleted, or the id is wrong, so there is no VLAN to carry the network.",
    remedy=(
        Step(
            "See which L3 domains there are (the L2 ones: az networkfabric l2domain list).",
            run=("az", "networkfabric", "l3domain", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Create the domain {domain} and an internal network with the VLAN and prefix of the network, then enable it with update-admin-state --state Enable."
        ),
        Step(
            "Delete the network and create it again with the id of a domain that exists.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {subject} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-configure-isolation-domain",),
    leads_to=("nexus.network_failed", "hybrid.cluster_failed", "hybrid.agent_never_reported"),
)
