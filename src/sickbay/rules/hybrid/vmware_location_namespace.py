from sickbay.model.arc import CustomLocation
from sickbay.model.hybrid import HybridNetwork
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(HybridNetwork)
def namespace_is_another(vnet: HybridNetwork, snapshot: Snapshot) -> Match | Clear | None:
    profile = vnet.infra_vnet_profile
    if profile is None or profile.vmware is None or not vnet.custom_location:
        return None
    home = snapshot.get(arm(vnet.custom_location), CustomLocation)
    if home is None or not home.namespace:
        return None
    if home.namespace == "default":
        return Clear(f"custom location {home.name} has the namespace default")
    return Match(
        f"custom location {home.name} has the namespace {home.namespace} instead of default",
        facts={"namespace": home.namespace, "custom_location": home.name},
        cites=(home.cite("properties.namespace", home.namespace),),
        subject=home.ref,
    )


RULE = Rule(
    title="The custom location for AKS on VMware has another namespace than default",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(namespace_is_another,),
    why="The operators of AKS on VMware look for their objects in the namespace default of the resource bridge. What is made at a custom location with another namespace is never picked up.",
    remedy=(
        Step(
            "See the custom location: its host and its extensions are needed again.",
            run=("az", "resource", "show", "--ids", "{subject}"),
            risk=Risk.READ,
        ),
        Step(
            "Delete it.",
            run=(
                "az",
                "customlocation",
                "delete",
                "-g",
                "{resource_group}",
                "-n",
                "{custom_location}",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Create it again with --namespace default.",
            run=(
                "az",
                "customlocation",
                "create",
                "-n",
                "{custom_location}",
                "-g",
                "{resource_group}",
                "--namespace",
                "default",
                "--host-resource-id",
                "<resource-bridge-id>",
                "--cluster-extension-ids",
                "<extension-id>",
            ),
            risk=Risk.SAFE,
            verify="az customlocation show -g {resource_group} -n {custom_location} --query namespace wants default",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-vmware-install-kubernetes-extension",),
    leads_to=("hybrid.vnet_failed", "hybrid.cluster_failed"),
)
