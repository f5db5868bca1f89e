from sickbay.model.entity import ArmEntity
from sickbay.model.hybrid import LogicalNetwork
from sickbay.model.privatecloud import (
    AzureLocalDisk,
    AzureLocalImage,
    AzureLocalNic,
    AzureLocalVm,
    CloudResource,
    MarketplaceImage,
    PrivateCloud,
    StorageContainer,
    VCenter,
    VmmCloud,
    VmmNetwork,
    VmmServer,
    VmmTemplate,
    VmmVm,
    VmwareCluster,
    VmwareDatastore,
    VmwareHost,
    VmwareNetwork,
    VmwarePool,
    VmwareTemplate,
    VmwareVm,
)
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    SYMPTOM,
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

_KINDS: tuple[type[ArmEntity], ...] = (
    *(AzureLocalVm, AzureLocalImage, MarketplaceImage, AzureLocalNic, AzureLocalDisk),
    *(LogicalNetwork, StorageContainer),
    *(VCenter, VmwareVm, VmwareTemplate, VmwareNetwork, VmwareDatastore),
    *(VmwareCluster, VmwareHost, VmwarePool),
    *(VmmServer, VmmVm, VmmCloud, VmmTemplate, VmmNetwork),
)


def is_failed(resource: ArmEntity, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    link = resource.connection_status if isinstance(resource, PrivateCloud) else None
    state = " and ".join(filter(None, (resource.provisioning_state, link))) or "of unknown state"
    if not resource.is_unwell:
        return Clear(f"{resource.name} is {state}")
    reason = resource.reason if isinstance(resource, CloudResource) else ""
    return Match(
        f"{resource.name} is {state}" + (f": {reason[:200]}" if reason else ""),
        cites=(resource.cite("properties.provisioningState", resource.provisioning_state),),
    )


RULE = Rule(
    title="A part of a private cloud is Failed or disconnected: a VM, image, disk, network, vCenter or VMM server",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        *(each(kind, SYMPTOM)(is_failed) for kind in _KINDS),
        Signature(
            pattern=r"(?i)moc-operator \w[\w ]{2,40}? service(?:client)? returned an? [ea]rror while reconciling|\bMOCGalleryImage\b.{0,40}?Invalid Input",
            says="the operator of the bridge could not make the resource",
            sample="errorMessage: moc-operator virtualmachine serviceClient returned an error while reconciling: error moc vm power state failed to update the expected value: Stopped: Timedout",
            near_miss="moc-operator virtualmachine serviceClient reconciled",
            weight=SYMPTOM,
        ),
    ),
    why="Azure hands the wish to the operator in the resource bridge, which asks MOC, vCenter or VMM to carry it out. That ended in an error; the status of the resource (errorMessage, statuses) and the activity log carry the reason that the private cloud gave.",
    remedy=(
        Step(
            "Read the error that Azure kept of the last operation.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-id",
                "{subject}",
                "--query",
                "[].properties.statusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what it names, delete the failed resource, and create it again.",
            risk=Risk.DESTRUCTIVE,
            verify="the resource shows provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-arc-enabled-vms",),
    leads_to=("aks.operation_failed",),
    wraps=True,
)
