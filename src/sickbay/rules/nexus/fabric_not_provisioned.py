from sickbay.model.fabric import L2IsolationDomain, L3IsolationDomain, NetworkFabric
from sickbay.model.nexus import same_word
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

_BARE = {"deprovisioned", "deprovisioning", "errorprovisioning", "errordeprovisioning"}


@each(NetworkFabric)
def carries_domains_unprovisioned(
    fabric: NetworkFabric, snapshot: Snapshot
) -> Match | Clear | None:
    state = (fabric.configuration_state or "").casefold()
    is_off = same_word(fabric.administrative_state, "Disabled") and fabric.is_succeeded
    if state not in _BARE and not is_off:
        known = fabric.configuration_state or fabric.administrative_state
        return Clear(f"fabric {fabric.name} is {known}") if known else None
    domains = sorted(
        ref
        for ref in snapshot.dependents(fabric.ref)
        if isinstance(snapshot.find(ref), L3IsolationDomain | L2IsolationDomain)
    )
    if not domains and state not in {"errorprovisioning", "errordeprovisioning"}:
        return None
    shown = f"{fabric.configuration_state}/{fabric.administrative_state}"
    return Match(
        f"fabric {fabric.name} is not provisioned ({shown})"
        + (f", and {domains[0].name} stands on it" if domains else ""),
        facts={"fabric": fabric.name, "fabric_group": fabric.ref.group},
        cites=(
            fabric.cite("properties.configurationState", fabric.configuration_state),
            fabric.cite("properties.administrativeState", fabric.administrative_state),
        ),
    )


RULE = Rule(
    title="The network fabric is not provisioned, so no isolation domain on it can work",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        carries_domains_unprovisioned,
        Signature(
            pattern=r"(?i)(?:network ?)?fabric(?: resource)? '?(?P<fabric>[\w.-]*)'? ?(?:is|has) not (?:yet )?(?:been )?(?:in )?'?provisioned\b(?P<fabric_group>)",
            says="the fabric is not provisioned",
            sample="L3 isolation domain creation failed as the network fabric fab1 is not provisioned.",
            near_miss="L3 isolation domain creation done as the network fabric fab1 is provisioned.",
            weight=TYPICAL,
        ),
    ),
    why="Creating a fabric only records it; provisioning brings its devices under control and configures them. Isolation domains and their networks need a fabric whose configuration state is Provisioned.",
    remedy=(
        Step(
            "See the devices of the fabric: each needs its serial number and must be reachable.",
            run=("az", "networkfabric", "device", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Provision the fabric.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "provision",
                "-g",
                "{fabric_group}",
                "--resource-name",
                "{fabric}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric fabric show -g {fabric_group} --resource-name {fabric} wants configurationState Provisioned",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-fabric",),
    leads_to=(
        "nexus.isolation_domain_disabled",
        "nexus.fabric_failed",
        "nexus.fabric_upgrade_blocked",
    ),
)
