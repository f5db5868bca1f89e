from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A virtual disk of AKS cannot be attached: Hyper-V still holds the disk on another virtual machine",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:Cannot add|Failed to add) '?(?P<disk>[^']{3,300}?\.vhdx?)'?\.? {0,2}The disk is already connected to the virtual machine(?: '(?P<machine>[^']{1,120})')?",
            says="disk {disk} is connected to a virtual machine already",
            sample="Cannot add 'C:\\ClusterStorage\\Volume1\\disks\\pvc-7.vhdx'. The disk is already connected to the virtual machine 'shop-md-2'. (Virtual machine ID 4B1C): Failed",
            near_miss="Added 'C:\\ClusterStorage\\Volume1\\disks\\pvc-7.vhdx' to the virtual machine 'shop-md-2'.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?:attach|mount|add)\w*\b.{0,200}?(?P<disk>[\w.:/\\\\-]{0,200}\.vhdx?|\b(?:disk|volume)\b).{0,240}?process cannot access the file because it is being used by another process(?P<machine>)",
            says="another process holds the disk",
            sample="AttachVolume.Attach failed for volume pvc-1: rpc error: code = Internal desc = failed to attach disk: The process cannot access the file because it is being used by another process.",
            near_miss="attached disk C:\\ClusterStorage\\Volume1\\disks\\pvc-7.vhdx to node shop-md-2",
            weight=TYPICAL,
        ),
    ),
    why="MOC attaches the disk of a volume or node to a virtual machine through Hyper-V, which lets one machine have it. After a host restarted or a machine moved, the old attachment can be left in Hyper-V while MOC believes that the disk is free, and each new attempt is refused.",
    remedy=(
        Step(
            "See which machine has the disk, and on which host.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterNode | ForEach-Object { Get-VM -ComputerName $_ | Get-VMHardDiskDrive | Where-Object Path -like '*.vhdx' }",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If the pod that needs it is to run there, let it: delete a pod that hangs elsewhere, so that the attachment is asked for on the machine that has it.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Otherwise drain the node that has it and remove the drive[ {disk}] from its machine, so that the node agent can attach it anew.",
            run=("powershell", "-Command", "Remove-VMHardDiskDrive -VMHardDiskDrive <drive>"),
            risk=Risk.DISRUPTIVE,
            verify="the event of the pod wants SuccessfulAttachVolume",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-storage",),
    ask="powershell -Command Get-VM | Get-VMHardDiskDrive",
)
