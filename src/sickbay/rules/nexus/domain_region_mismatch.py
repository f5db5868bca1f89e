from sickbay.model.fabric import L2IsolationDomain, L3IsolationDomain, NetworkFabric
from sickbay.model.ids import arm
from sickbay.model.nexus import NexusEntity
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


def _region(location: str) -> str:
    return location.replace(" ", "").casefold()


def _elsewhere(domain: NexusEntity, snapshot: Snapshot) -> Match | Clear | None:
    if not domain.location or not domain.network_fabric_id:
        return None
    fabric = snapshot.get(arm(domain.network_fabric_id), NetworkFabric)
    if fabric is None or not fabric.location:
        return None
    if _region(domain.location) == _region(fabric.location):
        return Clear(f"{domain.name} is in the region of its fabric")
    return Match(
        f"{domain.name} is in {domain.location}, its fabric {fabric.name} in {fabric.location}",
        facts={"region": fabric.location},
        cites=(domain.cite("location", domain.location), fabric.cite("location", fabric.location)),
    )


@each(L3IsolationDomain)
def l3_domain_is_elsewhere(domain: L3IsolationDomain, snapshot: Snapshot) -> Match | Clear | None:
    return _elsewhere(domain, snapshot)


@each(L2IsolationDomain)
def l2_domain_is_elsewhere(domain: L2IsolationDomain, snapshot: Snapshot) -> Match | Clear | None:
    return _elsewhere(domain, snapshot)


RULE = Rule(
    title="An isolation domain is in another region than its network fabric",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        l3_domain_is_elsewhere,
        l2_domain_is_elsewhere,
        Signature(
            pattern=r"(?i)isolation ?domain\b.{0,160}?\b(?:location|region)\b.{0,120}?(?:does not match|doesn't match|differs|different|not (?:the )?same|(?:must|should|needs? to|has to) be (?:the same|in the same|same|identical|equal)|must match|should match|mismatch).{0,80}?fabric|(?:location|region)\b.{0,40}? of (?:the )?isolation ?domain\b.{0,80}?fabric",
            says="the isolation domain is not where its fabric is",
            sample="BadRequest: The location westus of the isolation domain does not match the location of the network fabric",
            near_miss="The isolation domain was created at the location of its fabric",
            weight=TYPICAL,
        ),
    ),
    why="An isolation domain is kept and configured by the service of the region of its fabric. One that was created in another region is never pushed to the devices.",
    remedy=(
        Step(
            "Delete the domain; its region cannot be changed.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Create it again in {region}.",
            verify="az networkfabric l3domain list wants the location {region}",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-configure-isolation-domain",),
    leads_to=("nexus.isolation_domain_disabled", "nexus.fabric_failed"),
)
