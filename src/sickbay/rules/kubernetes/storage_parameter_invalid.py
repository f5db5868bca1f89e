from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A storage class or volume has a parameter that its Azure driver does not know or accept",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)invalid (?:parameter )?\"?(?P<parameter>[\w./-]+)\"?:? ?\S{0,60} in storage class|failed to get (?:account name|file share name|container name|share name) from \S+|(?:Premium|PremiumV2|Standard|StandardSSD|UltraSSD)_\w{2,4} disk is not supported|Failed parsing disk parameters|invalid parameter (?P<unknown>[\w./-]+) in storage class|(?:fsType|protocol|shareAccessTier|accountAccessTier|rootSquashType|fsGroupChangePolicy|storageAccountType|diskEncryptionType|networkAccessPolicy|cachingMode)\((?P<value>[^)]{0,60})\) is not supported|SKU \S{1,40} is not supported for resource type Disk\b|azureDisk - \S{1,60} is not (?:a )?supported|nfs protocol only supports premium storage|resourceGroup must be provided in cross subscription|storage account type can be used only with Virtual Machines in an Availability Zone|storeAccountKey is not supported|matchTags must set as false|is not supported for ephemeral volumes|GetAccountInfo\(\S{1,300}\) failed with error|invalid mountPermissions|addition of a (?:managed|blob based) disk to (?:a )?VM with (?:managed|blob based) disks is not supported|failed to find a matching storage account|AccountPropertyIsInvalid.{0,80}?kind is invalid|Volume capability not supported|wrong inputs of volume attributes|failed to create file share\(\S{1,100}\) on account type\(Premium\w{0,20}\).{0,80}?size\(\d{1,2}\)",
            says="the driver refuses a parameter of the storage class or volume",
            sample='failed to provision volume with StorageClass "fast": rpc error: code = InvalidArgument desc = invalid parameter "skuname1" in storage class',
            near_miss='successfully provisioned volume with StorageClass "fast"',
            unless=r"(?i)StatusCode=40[13]|accounts\S{0,40}/listkeys|AuthorizationFailed|secrets? \"?[\w.-]+\"? not found|i/o timeout|dial tcp",
        ),
    ),
    why="The CSI drivers of Azure take their settings from the parameters of the storage class, or the attributes of the volume, and check them before anything is made: a misspelt name, a value that the disk or share type does not have, or a share without its account is refused at once, and the claim or pod waits.",
    remedy=(
        Step(
            "See class and volume.",
            run=("kubectl", "get", "storageclass", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the parameter. A class cannot be changed: delete and create it. A static volume of Azure Files needs `shareName`, and a secret with `azurestorageaccountname` and `azurestorageaccountkey` in the namespace that it names.",
            verify="kubectl get pvc wants STATUS Bound",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/azure-csi-files-storage-provision",
        "https://learn.microsoft.com/azure/aks/azure-csi-disk-storage-provision",
    ),
    leads_to=("kubernetes.mount_failed", "kubernetes.claim_unbound", "aks.property_immutable"),
    ask="kubectl get storageclass -o yaml",
)
