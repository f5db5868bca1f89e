from sickbay.model.fabric import ExternalNetwork, InternalNetwork, L2IsolationDomain
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

_LAST_RESERVED = 500


def _reserved(entity: NexusEntity, vlan: int | None, path: str) -> Match | Clear | None:
    if vlan is None:
        return None
    if vlan > _LAST_RESERVED:
        return Clear(f"{entity.name} uses VLAN {vlan}, above {_LAST_RESERVED}")
    return Match(
        f"{entity.name} uses VLAN {vlan}, which is reserved",
        facts={"vlan": str(vlan)},
        cites=(entity.cite(path, vlan),),
    )


@each(InternalNetwork)
def internal_vlan_is_reserved(network: InternalNetwork, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _reserved(network, network.vlan_id, "properties.vlanId")


@each(ExternalNetwork)
def external_vlan_is_reserved(network: ExternalNetwork, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    option = network.option_a_properties
    return _reserved(
        network, option.vlan_id if option else None, "properties.optionAProperties.vlanId"
    )


@each(L2IsolationDomain)
def domain_vlan_is_reserved(domain: L2IsolationDomain, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _reserved(domain, domain.vlan_id, "properties.vlanId")


RULE = Rule(
    title="An isolation domain uses a VLAN that is reserved for the fabric (500 or below)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        internal_vlan_is_reserved,
        external_vlan_is_reserved,
        domain_vlan_is_reserved,
        Signature(
            pattern=r"(?i)vlan(?: ?id)?\W{0,3}(?P<vlan>\d{1,3})\b.{0,60}?(?:is|are) reserved (?:for|by)|vlan ?id .{0,40}?(?:can\'t|cannot|can not|must not) be (?:used )?from (?:a |the )?reserved range",
            says="VLAN {vlan} is reserved",
            sample="Internal network creation failed: VLAN ID 400 is reserved for infrastructure use.",
            near_miss="Internal network creation failed: VLAN ID 1400 is used by another network.",
            weight=TYPICAL,
        ),
    ),
    why="The fabric keeps VLAN ids up to 500 for its own infrastructure. With a Nexus ISD VLAN reserved in this way the domain cannot be enabled, or its traffic collides with that of the platform.",
    remedy=(
        Step(
            "See which VLANs are taken.",
            run=(
                "az",
                "networkfabric",
                "l2domain",
                "list",
                "--query",
                "[].{name:name,vlan:vlanId}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Choose a VLAN from 501 to 4095 that no network of the fabric uses, instead of {vlan}."
        ),
        Step(
            "Delete the network and create it again with that VLAN, the same in the network of the site above it.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {subject} wants a vlanId above 500",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-isolation-domain",),
    leads_to=("nexus.isolation_domain_disabled", "nexus.fabric_failed", "nexus.network_failed"),
)
