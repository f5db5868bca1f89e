from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import StorageClass
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_RETIRED = ("kubernetes.io/azure-disk", "kubernetes.io/azure-file")


@each(StorageClass)
def is_in_tree(found: StorageClass, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if found.provisioner not in _RETIRED:
        return Clear(f"class {found.name} uses {found.provisioner or 'no driver'}")
    return Match(
        f"class {found.name} uses {found.provisioner}",
        facts={"provisioner": found.provisioner},
        cites=(found.cite("provisioner", found.provisioner),),
    )


RULE = Rule(
    title="A storage class uses a retired in-tree driver, which attaches disks one after another",
    severity=Severity.INFO,
    categories=(Category.STORAGE,),
    detect=(
        is_in_tree,
        Signature(
            pattern=r"\b(?P<class>[a-z0-9][\w.-]*)(?: \(default\))? (?P<provisioner>kubernetes\.io/azure-(?:disk|file)) (?:Delete|Retain) ",
            says="class {class} is made by {provisioner}",
            sample="NAME PROVISIONER RECLAIMPOLICY VOLUMEBINDINGMODE ALLOWVOLUMEEXPANSION AGE\nlegacy   kubernetes.io/azure-disk   Delete   Immediate   false   3y",
            near_miss="managed-csi   disk.csi.azure.com   Delete   WaitForFirstConsumer   true   3y",
        ),
    ),
    why="The drivers kubernetes.io/azure-disk and azure-file inside Kubernetes are retired: they attach and detach disks in sequence, so many at once take minutes, and current versions only carry them over to the CSI drivers.",
    remedy=(
        Step(
            "See the classes and their drivers.",
            run=(
                "kubectl",
                "get",
                "storageclass",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make a class of the CSI driver (disk.csi.azure.com, file.csi.azure.com), and move the volumes to it.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get storageclass shows no kubernetes.io/azure-disk or azure-file",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/slow-attach-detach-operations-azure-disk",
        "https://learn.microsoft.com/azure/aks/csi-migrate-in-tree-volumes",
    ),
    ask="kubectl get storageclass -o json",
)
