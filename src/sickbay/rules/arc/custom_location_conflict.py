from sickbay.model.arc import CustomLocation
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


@each(CustomLocation)
def shares_its_namespace(location: CustomLocation, snapshot: Snapshot) -> Match | Clear | None:
    if not location.is_unwell or not location.namespace or not location.host_resource_id:
        return Clear(f"{location.name} is {location.provisioning_state or 'of unknown state'}")
    for other in snapshot.some(CustomLocation):
        if other.ref != location.ref and _place(other) == _place(location):
            return Match(
                f"{location.name} and {other.name} both claim the namespace {location.namespace}",
                cites=(location.cite("properties.namespace", location.namespace),),
            )
    snapshot.require(CustomLocation)
    return Clear(f"no other custom location claims the namespace {location.namespace}")


def _place(location: CustomLocation) -> tuple[str, str]:
    return ((location.host_resource_id or "").casefold(), location.namespace or "")


RULE = Rule(
    title="Two custom locations claim the same namespace of one host cluster",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        shares_its_namespace,
        Signature(
            pattern=r"(?i)existing custom location (?:name )?(?P<location>[\w.-]+) has been found in the cluster|namespace \S{0,80} ?(?:(?:on|in) the cluster )?(?:on (?:the )?host cluster )?is already (?:used|mapped|associated|bound|linked) (?:by|to|with) (?:another |a )?custom location|custom location .{0,80}?same namespace",
            says="the cluster or namespace has a custom location already",
            sample="An existing custom location name shop-cl has been found in the cluster shop-arc. A cluster can only have one custom location.",
            near_miss="No existing custom location has been found in the cluster shop-arc.",
            weight=TYPICAL,
        ),
    ),
    why="A namespace of a connected cluster or resource bridge can belong to one custom location only; the second one that names it fails.",
    remedy=(
        Step(
            "See the custom locations and their namespaces.",
            run=(
                "az",
                "customlocation",
                "list",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the custom location again with a namespace of its own.",
            run=(
                "az",
                "customlocation",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--namespace",
                "<namespace>",
                "--host-resource-id",
                "<cluster-id>",
                "--cluster-extension-ids",
                "<extension-id>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/custom-locations",),
    leads_to=("arc.custom_location_failed",),
)
