from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An attached Azure disk does not show up on its node (findDiskByLun)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)findDiskByLun\(?(?P<lun>\d*)\)? failed|failed to find disk on lun (?P<at>\d+)|cannot find Lun for disk|WaitForAttach failed.{0,200}?disk\b.{0,100}?(?:not found|timeout)|findDiskByLun.{0,60}?timeout|timeout waiting for disk to appear",
            says="the disk is booked on the machine, but the node does not see it",
            sample='MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = failed to find disk on lun 0. azureDisk - findDiskByLun(0) failed within timeout',
            near_miss='MountVolume.MountDevice succeeded for volume "pvc-1" : found disk on lun 0',
        ),
    ),
    why="Azure says that the disk is attached under a number (LUN), but the kernel of the node lists no such device: the attach is not really done (the machine is in a failed state), another disk took the number, or the SCSI or NVMe bus did not rescan.",
    remedy=(
        Step(
            "Compare what Azure believes with what the node has.",
            run=(
                "az",
                "vmss",
                "list-instances",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--query",
                "[].{{id:instanceId,state:provisioningState,disks:storageProfile.dataDisks[].name}}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Move the pod to another node, so that the disk is detached and attached anew.",
            run=("kubectl", "cordon", "{node}"),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "If the machine is failed, update it; if that does not help, reimage it.",
            run=(
                "az",
                "vmss",
                "update-instances",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the pod reaches Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
