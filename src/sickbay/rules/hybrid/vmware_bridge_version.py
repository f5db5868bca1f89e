from sickbay.model.arc import Appliance, CustomLocation
from sickbay.model.hybrid import HybridNetwork
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_FIRST = (1, 1, 0)
_LAST = (1, 2, 0)


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")[:3]
    return tuple(int(part) for part in parts) if all(p.isdecimal() for p in parts) else ()


@each(HybridNetwork)
def bridge_does_not_suit(vnet: HybridNetwork, snapshot: Snapshot) -> Match | Clear | None:
    profile = vnet.infra_vnet_profile
    if profile is None or profile.vmware is None or not vnet.custom_location:
        return None
    home = snapshot.get(arm(vnet.custom_location), CustomLocation)
    if home is None or not home.host_resource_id:
        return None
    bridge = snapshot.get(arm(home.host_resource_id), Appliance)
    version = _numbers((bridge and bridge.version) or "")
    if bridge is None or not version:
        return None
    if _FIRST <= version <= _LAST:
        return Clear(f"resource bridge {bridge.name} has version {bridge.version}")
    problem = (
        "sizes Standard_A4_v2 and Standard_K8S3_v1 get 2 vCPUs instead of 4"
        if version < _FIRST
        else "AKS on VMware does not work with versions after 1.2.0"
    )
    return Match(
        f"resource bridge {bridge.name} has version {bridge.version}: {problem}",
        facts={"bridge": bridge.name, "version": bridge.version or ""},
        cites=(bridge.cite("properties.version", bridge.version),),
        subject=bridge.ref,
    )


RULE = Rule(
    title="The version of the Arc resource bridge does not suit AKS on VMware",
    severity=Severity.WARNING,
    categories=(Category.CREATION, Category.SCALING),
    detect=(bridge_does_not_suit,),
    why="The preview of AKS on VMware works with resource bridges 1.1.0 to 1.2.0. Before 1.1.0 nodes of Standard_A4_v2 and Standard_K8S3_v1 come up with half of their vCPUs; after 1.2.0 it is not supported.",
    remedy=(
        Step(
            "See the version of the bridge.",
            run=("az", "arcappliance", "show", "-g", "{resource_group}", "-n", "{bridge}"),
            risk=Risk.READ,
        ),
        Step(
            "An older bridge: upgrade it to 1.1.0 or 1.2.0 and create the node pools again, or use another size. A newer one: deploy a second bridge of a supported version.",
            risk=Risk.DISRUPTIVE,
            verify="az arcappliance show -g {resource_group} -n {bridge} --query version wants 1.1.0 to 1.2.0",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/aks-vmware-system-requirements",
        "https://learn.microsoft.com/azure/aks/aksarc/aks-vmware-known-issues",
    ),
    leads_to=("hybrid.vnet_failed",),
)
