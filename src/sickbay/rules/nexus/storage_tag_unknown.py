from sickbay.model.nexus import (
    CloudServicesNetwork,
    NexusEntity,
    NexusKubernetesCluster,
    StorageAppliance,
    same_word,
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

_TAG = "storageappliancename"


def names_no_appliance(entity: NexusEntity, snapshot: Snapshot) -> Match | Clear | None:
    tags = entity.tags or {}
    wanted = next((value for key, value in tags.items() if key.casefold() == _TAG), None)
    if not wanted:
        return None
    appliances = snapshot.some(StorageAppliance)
    if any(same_word(one.name, wanted) for one in appliances):
        return Clear(f"{entity.name} names the storage appliance {wanted}")
    snapshot.require(StorageAppliance)
    there = ", ".join(sorted(one.name for one in appliances)) or "none"
    return Match(
        f"{entity.name} is tagged storageApplianceName={wanted}, and the appliances are: {there}",
        facts={"appliance": wanted, "appliances": there},
        cites=(entity.cite("tags.storageApplianceName", wanted),),
    )


RULE = Rule(
    title="The tag storageApplianceName names no storage appliance of the site",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.CREATION),
    detect=(
        each(CloudServicesNetwork)(names_no_appliance),
        each(NexusKubernetesCluster)(names_no_appliance),
        Signature(
            pattern=r"(?i)\bstorageApplianceName\b.{0,160}?(?:(?:does not|doesn't) (?:match|exist|name)|not found|invalid|unknown|no such|is not (?:a |valid|one|known|an?))(?P<appliance>)(?P<appliances>)",
            says="the tag names no appliance of the site",
            sample="Creating cloud services network csn1 failed: storageApplianceName tag 'pure-2' does not match any storage appliance in the cluster",
            near_miss="Creating cloud services network csn1: storageApplianceName tag 'pure-2' accepted",
            weight=TYPICAL,
        ),
    ),
    why="A site with several storage appliances takes the one for a cloud services network or Kubernetes cluster from its tag storageApplianceName. With a name that no appliance has, its volumes cannot be made.",
    remedy=(
        Step(
            "See the names of the appliances.",
            run=("az", "networkcloud", "storageappliance", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Set the tag to one of them ({appliances}) instead of {appliance}.",
            run=(
                "az",
                "resource",
                "tag",
                "--ids",
                "{subject}",
                "--tags",
                "storageApplianceName=<name>",
                "--is-incremental",
            ),
            risk=Risk.SAFE,
            verify="az resource show --ids {subject} --query tags wants the name of an appliance",
        ),
        Step("Create what was made with the wrong tag again: the choice is made on creation."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-multiple-storage-appliances",
    ),
    leads_to=("nexus.network_failed", "nexus.kubernetes_cluster_failed"),
)
