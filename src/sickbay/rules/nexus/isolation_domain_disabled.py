from sickbay.model.fabric import L2IsolationDomain, L3IsolationDomain
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

# EnabledDegraded and UnderMaintenance carry traffic.
_OFF = {"disabled", "mat", "rma"}
_USERS = (DefaultCniNetwork, L3Network, L2Network, TrunkedNetwork)


def domain_is_off(domain: NexusEntity, snapshot: Snapshot) -> Match | Clear | None:
    state = (domain.administrative_state or "").casefold()
    if not state:
        return None
    if state not in _OFF:
        return Clear(f"{domain.name} is {domain.administrative_state}")
    layer = "l3" if isinstance(domain, L3IsolationDomain) else "l2"
    users = sorted(
        ref
        for ref in snapshot.dependents(domain.ref)
        if isinstance(snapshot.find(ref), NexusNetwork)
    )
    # A fresh domain is Disabled until its owner enables it: that hurts only where a network already uses it.
    scope = f"/subscriptions/{domain.ref.subscription}"
    if not users and any(
        snapshot.holds(k.kind) or snapshot.has_seen(k.kind, scope) for k in _USERS
    ):
        for kind in _USERS:
            snapshot.require(kind, scope)
        return Clear(f"{domain.name} is {domain.administrative_state}, and no network uses it")
    return Match(
        f"{layer.upper()} isolation domain {domain.name} is {domain.administrative_state}"
        + (f" and carries {users[0].name}" if users else ""),
        facts={"domain": domain.name, "layer": layer},
        cites=(domain.cite("properties.administrativeState", domain.administrative_state),),
        weight=None if users else TYPICAL,
    )


RULE = Rule(
    title="An isolation domain is not enabled, so the networks on it carry no traffic",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION),
    detect=(
        each(L3IsolationDomain)(domain_is_off),
        each(L2IsolationDomain)(domain_is_off),
        Signature(
            pattern=r"(?i)\b(?P<layer>l[23])[- ]?isolation ?-?domains?[:/]? ?(?:/subscriptions/\S{1,300}/)?'?(?P<domain>[\w.-]+)?'?[^{}\"]{0,120}?(?:(?:is|was|are|has)(?: not|n't) (?:been )?(?:yet |administratively )?enabled|not in (?:the |an )?enabled (?:administrative )?state|not in (?:the )?administrative ?state '?enabled|(?:is|in|stuck in|remains|stays) (?:the |a )?(?:administrative(?:ly)? )?disabled(?: administrative)?(?: state)?|administrative ?state\W{0,4}(?:is |of |: ?)?\W{0,2}disabled|must be (?:in (?:the )?)?(?:administratively )?enabled)",
            says="an isolation domain is not enabled",
            sample="The L3 isolation domain l3d1 is not enabled; the network cannot be attached.",
            near_miss="The L3 isolation domain l3d1 is enabled; the network can be attached.",
            weight=TYPICAL,
        ),
    ),
    why="Creating an isolation domain and its internal networks only records them; the fabric pushes them to its devices when the domain is enabled. With a Nexus isolation domain not enabled, its VLANs exist on no switch, and every network and cluster above it is cut off.",
    remedy=(
        Step(
            "Enable the domain.",
            run=(
                "az",
                "networkfabric",
                "{layer}domain",
                "update-admin-state",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{domain}",
                "--state",
                "Enable",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric {layer}domain show -g {resource_group} --resource-name {domain} wants administrativeState Enabled and provisioningState Succeeded",
        ),
        Step(
            "If it was enabled before and an IPv6 subnet of an option A external network was changed since, the same command with --state Disable goes first.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "If enabling fails, read why.",
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
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-isolation-domain",
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-isolation-domain",
    ),
    leads_to=(
        "nexus.network_failed",
        "hybrid.cluster_failed",
        "hybrid.agent_never_reported",
        "hybrid.cluster_offline",
    ),
)
