from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A disk cannot be attached: another disk already has its slot (LUN) on the machine",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)A disk at LUN (?P<lun>\d{1,2}) already exists|Cannot attach data disk .{0,160}? at LUN (?P<slot>\d{1,2})\b|LUN '?(?P<taken>\d{1,2})'? (?:is )?already (?:in use|assigned|taken)",
            says="the slot[ {lun}][ {slot}][ {taken}] is taken",
            sample='AttachVolume.Attach failed for volume "pvc-1" : StatusCode=400 Code="InvalidParameter" Message="A disk at LUN 3 already exists."',
            near_miss="the disk pvc-1 was attached at LUN 3",
        ),
    ),
    why="The driver picks a free LUN from what it last read of the machine. Somebody else took it in the meantime: a disk that was attached by hand or by a template, a second controller (the old in-tree one, another cluster) or a detach that Azure had not ended. The next attempts fail for as long as the driver keeps its old picture.",
    remedy=(
        Step(
            "See which disks the machine has, and at which LUN.",
            run=(
                "az",
                "vmss",
                "list-instances",
                "-g",
                "<node-resource-group>",
                "-n",
                "<scale-set>",
                "--query",
                "[].{name:osProfile.computerName,disks:storageProfile.dataDisks[].[lun,name]}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Detach what no volume of the cluster owns, and attach disks to nodes by volumes only.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "If the picture of the driver stays old, let the pod go to another node.",
            run=("kubectl", "cordon", "{node}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
    ),
    leads_to=("kubernetes.mount_failed", "aks.parameter_invalid"),
    ask="kubectl get volumeattachments -o wide",
)
