from sickbay.model.fabric import ExternalNetwork, InternalNetwork, L3IsolationDomain
from sickbay.model.nexus import Layer3Network
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


@each(L3IsolationDomain)
def has_no_internal_network(domain: L3IsolationDomain, snapshot: Snapshot) -> Match | Clear | None:
    parts = [(ref, snapshot.find(ref)) for ref in snapshot.dependents(domain.ref)]
    users = sorted(ref for ref, part in parts if isinstance(part, Layer3Network))
    if not users:
        return None
    internals = sum(isinstance(part, InternalNetwork) for _, part in parts)
    if internals:
        return Clear(f"{domain.name} has {internals} internal network(s)")
    snapshot.require(InternalNetwork, domain.id)
    others = sum(isinstance(part, ExternalNetwork) for _, part in parts)
    return Match(
        f"{users[0].name} uses the isolation domain {domain.name}, which has no internal network"
        + (f" and only {others} external one(s)" if others else ""),
        facts={"domain": domain.name},
        cites=(domain.cite("id", domain.id),),
    )


RULE = Rule(
    title="The L3 isolation domain of a network has no internal network",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        has_no_internal_network,
        Signature(
            pattern=r"(?i)should be at ?least (?:one|1) or more Internal ?/ ?External networks? attached to (?:the )?Isolation ?Domain(?P<domain>)",
            says="an isolation domain without a network was to be enabled",
            sample="BadRequest: There should be atleast one or more Internal /External networks attached to Isolation Domain",
            near_miss="There are 2 Internal /External networks attached to Isolation Domain l3-apps",
        ),
        Signature(
            pattern=r"(?i)\bisolation[- ]?domains?\b.{0,160}?(?:at ?least (?:one|1)(?: or more)? (?:internal|external)|(?:has|have|had|with|because|since|as) no (?:internal|external|network)|without (?:an? |any )?(?:internal|external)|no (?:internal (?:or|and|/) ?external|internal|external) ?networks? (?:is|are|was|were|exists?|attached|associated|found|defined|under|configured))(?P<domain>)|(?:at ?least (?:one|1)(?: or more)?|no|without (?:an?|any)) (?:internal|external)\b.{0,60}?\b(?:isolation[- ]?domain|l[23] ?domain)",
            says="an isolation domain without a network was to be enabled",
            sample="Enabling L3 isolation domain l3-apps failed: at least one internal or external network is required.",
            near_miss="Enabling L3 isolation domain l3-apps done: 2 internal networks.",
            unless=r"(?i)remain|disabl",
            weight=TYPICAL,
        ),
    ),
    why="A default CNI or L3 network takes its VLAN and prefix from an internal network of its isolation domain. Without one there is nothing to match, and a domain without any network cannot be enabled either.",
    remedy=(
        Step(
            "Add an internal network with the VLAN and prefix that the network wants: az networkfabric internalnetwork create --l3-isolation-domain-name {domain} --vlan-id <vlan> --connected-ipv4-subnets.",
            risk=Risk.SAFE,
        ),
        Step(
            "Enable the domain.",
            run=(
                "az",
                "networkfabric",
                "l3domain",
                "update-admin-state",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{domain}",
                "--state",
                "Enable",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric l3domain show -g {resource_group} --resource-name {domain} wants administrativeState Enabled",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-configure-isolation-domain",),
    leads_to=("nexus.isolation_domain_disabled", "nexus.network_failed"),
)
