from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Local does not have the image, network or disk that a request names (MOC: Not Found)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Type\[(?P<type>GalleryImage|VirtualNetwork|LogicalNetwork|VirtualHardDisk|NetworkInterface|NetworkSecurityGroup|StorageContainer|Container|VirtualMachine)\].{0,120}?Name\[(?P<object>[^\]]{1,120})\].{0,20}?Not Found",
            says="MOC has no {type} {object}",
            sample="moc-operator virtualmachine serviceClient returned an error while reconciling: rpc error: code = NotFound desc = Type[GalleryImage], Location[MocLocation], Name[win2025]: Not Found (Code: NotFound)",
            near_miss="Type[VirtualNetwork], Location[MocLocation], Name[lnet-10]: Succeeded",
            # Those are the images of AKS nodes.
            unless=r"(?i)Type\[GalleryImage\].{0,120}?Name\[(?:linux|windows|akshci|sfs)|PrecheckFailed",
        ),
    ),
    why="Azure knows the resource, but the fabric of Azure Local (MOC) has no object of that name: its download or creation never finished, it was deleted on the instance, or it belongs to another custom location or storage path.",
    remedy=(
        Step(
            "See the state of the images, networks and disks in Azure.",
            run=("az", "stack-hci-vm", "image", "list", "-g", "{resource_group}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Delete the resource that MOC does not have, make it again at the same custom location, wait until it is Succeeded, and repeat the request.",
            risk=Risk.DESTRUCTIVE,
            verify="az stack-hci-vm image show wants provisioningState Succeeded and progressPercentage 100",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-arc-enabled-vms",),
    leads_to=("arc.cloud_resource_failed",),
    ask="az stack-hci-vm image list -g {resource_group} -o table",
)
