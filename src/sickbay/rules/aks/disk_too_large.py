from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The OS disk does not fit the cache or temporary disk of the VM size",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bVMSizeDoesNotSupportEphemeralOS\b|\bVMTemporaryDiskTooSmall\b|OS disk of Ephemeral VM with size greater than (?P<limit>\d+) GB is not allowed for VM size (?P<size>[\w-]+)|ephemeral OS disk .{0,80}? (?:not supported|exceeds|larger than)|\bVMCacheSizeTooSmall\b|\bVMCannotFitEphemeral(?:OS)?Disk\b|\bEphemeralOSMixedPlacementNotSupported\b|different ephemeral OS disk placement in a single|(?P<machine>Standard_\w+) has a cache size of \d+ bytes|Diff Disk Placement of type \S{1,20} is not supported for VM size (?P<sku>[\w-]+)|Virtual Machine size (?P<named>[\w-]+) (?:does not|doesn\'t) support Ephemeral|VM size '?(?P<other>[\w-]+)'? (?:does not|doesn't) support ephemeral OS disks?",
            says="the disk does not fit the VM size",
            sample="InvalidParameter: OS disk of Ephemeral VM with size greater than 86 GB is not allowed for VM size Standard_DS2_v2 when the DiffDiskPlacement is CacheDisk.",
            near_miss="Ephemeral OS disk of 64 GB is placed in the cache of VM size Standard_DS2_v2",
        ),
    ),
    why="An ephemeral OS disk lives in the cache or on the temporary disk of the machine, and other disk features depend on the size, too. The pool asks for more than this size has, or mixes sizes that place the disk differently (cache, temporary disk, NVMe).",
    remedy=(
        Step(
            "See what the size offers.",
            run=("az", "vm", "list-skus", "-l", "{location}", "--size", "<size>", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "Create the pool with a smaller OS disk, a managed one, or another size.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--node-vm-size",
                "<size>",
                "--node-osdisk-type",
                "Managed",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/concepts-storage",
        "https://learn.microsoft.com/azure/virtual-machines/ephemeral-os-disks",
    ),
    leads_to=("aks.operation_failed",),
    ask="az vm list-skus -l {location} --size <size> -o json",
)
