from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Folders or mounts of pods that are gone are left on a node (orphaned pod found)",
    severity=Severity.INFO,
    categories=(
        Category.STORAGE,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"[Oo]rphaned pod .{0,80}? found, but|occurred when trying to remove the volumes dir|failed to rmdir\(\) volume at path|Failed to remove orphaned pod",
            says="the kubelet cannot clean up after a pod that is gone",
            sample='"orphaned pod \\"0a1b\\" found, but failed to rmdir() volume at path /var/lib/kubelet/pods/0a1b/volumes/kubernetes.io~csi/pvc-1: directory not empty"',
            near_miss="cleaned up orphaned pod 0a1b volumes dir",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="After a crash or a forced deletion the kubelet still finds the folder of a pod that the API server no longer knows, and does not remove it while a volume is mounted or files are left in it. It is noise first, but mounts that are left hold disks and keep the node from detaching them.",
    remedy=(
        Step(
            "See what is mounted below that folder on the node.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "chroot",
                "/host",
                "findmnt",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Unmount what is left, then remove the empty folder; or restart or reimage the node.",
            risk=Risk.DISRUPTIVE,
            verify="the kubelet no longer logs orphaned pods",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/persistent-volumes/",),
    leads_to=("kubernetes.termination_hangs",),
    ask="journalctl -u kubelet --no-pager -n 100",
)
