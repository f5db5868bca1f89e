from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure disk of a volume does not exist any more",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)Microsoft\.Compute/disks/(?P<disk>[\w.-]+)'? under resource group '(?P<group>[^']+)' was not found|disk \(?(?P<id>/subscriptions/[^ )]{1,400}/disks/[\w.-]+)\)? (?:was )?not found|DiskNotFound\b",
            says="disk {disk} was not found",
            sample="AttachVolume.Attach failed for volume \"pv-data\" : rpc error: code = NotFound desc = Volume not found, failed with error: HTTPStatusCode: 404, RawError: ResourceNotFound: The Resource 'Microsoft.Compute/disks/data' under resource group 'disks-rg' was not found.",
            near_miss="The Resource 'Microsoft.Network/virtualNetworks/v' under resource group 'net' was not found.",
        ),
    ),
    why="The PersistentVolume points to a managed disk by its full id. The disk was deleted, moved to another group or subscription, or the id in a hand-made volume is misspelled.",
    remedy=(
        Step(
            "See the disks that exist.",
            run=(
                "az",
                "disk",
                "list",
                "--query",
                "[].id",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restore the disk from a snapshot or backup under the same id, or correct volumeHandle in the PersistentVolume (delete and make it again).",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
    ),
    leads_to=(
        "kubernetes.mount_failed",
        "aks.resource_not_found",
    ),
    ask="az disk list -o json",
)
