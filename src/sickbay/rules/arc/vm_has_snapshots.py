from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The VM has snapshots or checkpoints, so its disks cannot be resized or changed",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:resize|extend|expand|reconfigure|change)\w* .{0,60}?disk.{0,120}?(?:has|have|with) (?:snapshots|checkpoints)|(?:virtual machine|VM) .{0,60}?has (?:snapshots|checkpoints).{0,80}?(?:resize|extend|disk)",
            says="snapshots hold the disk",
            sample="ReconfigVM_Task failed: Cannot resize disk: the virtual machine has snapshots.",
            near_miss="ReconfigVM_Task succeeded",
        ),
    ),
    why="A snapshot (vSphere) or checkpoint (Hyper-V) keeps the state of a disk at its size. Until it is removed or merged, the disk of the VM cannot be resized or replaced.",
    remedy=(
        Step(
            "Remove or consolidate the snapshots of the VM in vCenter or Hyper-V, then repeat the change.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/perform-vm-ops-through-azure",
    ),
)
