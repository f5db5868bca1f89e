from sickbay.model.fabric import NetworkFabric
from sickbay.model.nexus import same_word
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import parse
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

_LONGEST = 19


def _rival(fabric: NetworkFabric, snapshot: Snapshot) -> NetworkFabric | None:
    own = parse(fabric.ipv4_prefix or "")
    home = (fabric.network_fabric_controller_id or "").casefold()
    for other in sorted(snapshot.some(NetworkFabric), key=lambda one: one.ref):
        if (
            other.ref == fabric.ref
            or (other.network_fabric_controller_id or "").casefold() != home
            # Of two, the one that is not provisioned is at fault.
            or (other.is_unwell and not fabric.is_unwell)
        ):
            continue
        theirs = parse(other.ipv4_prefix or "")
        if own and theirs and own.overlaps(theirs):
            return other
    return None


@each(NetworkFabric)
def prefix_does_not_fit(fabric: NetworkFabric, snapshot: Snapshot) -> Match | Clear | None:
    prefix = parse(fabric.ipv4_prefix or "")
    if prefix is None or not fabric.network_fabric_controller_id:
        return None
    problem = ""
    if prefix.length > _LONGEST and not same_word(fabric.configuration_state, "Provisioned"):
        problem = f"{fabric.ipv4_prefix} is smaller than /19"
    elif rival := _rival(fabric, snapshot):
        problem = f"{fabric.ipv4_prefix} overlaps with {rival.ipv4_prefix} of {rival.name}"
    if problem:
        return Match(
            f"fabric {fabric.name}: {problem}",
            facts={"problem": problem},
            cites=(fabric.cite("properties.ipv4Prefix", fabric.ipv4_prefix),),
        )
    snapshot.require(NetworkFabric, f"/subscriptions/{fabric.ref.subscription}")
    return Clear(f"{fabric.ipv4_prefix} of {fabric.name} is large enough and its own")


RULE = Rule(
    title="The management prefix of a network fabric is too small, or used by another fabric",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        prefix_does_not_fit,
        Signature(
            pattern=r"(?i)(?:network ?fabric|ipv4 ?prefix)\b.{0,120}?(?:must be|should be|at least|minimum|smaller than|larger than)\b.{0,30}?/19\b|network ?fabric\b.{0,80}?prefix\b.{0,80}?overlaps with .{0,40}?(?:another|existing) (?:network ?)?fabric",
            says="the management prefix of the fabric does not fit",
            sample="BadRequest: ipv4Prefix 10.1.0.0/20 of the network fabric should be /19 or larger",
            near_miss="ipv4Prefix 10.1.0.0/18 of the network fabric was accepted",
            weight=TYPICAL,
        ),
    ),
    why="The fabric numbers its devices and management networks from its IPv4 prefix. It must be /19 or larger, and no two fabrics of one controller may share addresses, since the controller routes to both.",
    remedy=(
        Step(
            "See the prefixes of all fabrics.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "list",
                "--query",
                "[].{name:name,prefix:ipv4Prefix,controller:networkFabricControllerId}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the fabric and create it again with a prefix of its own, /19 or larger ({problem}).",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {subject} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-fabric",),
    leads_to=("nexus.fabric_failed",),
)
