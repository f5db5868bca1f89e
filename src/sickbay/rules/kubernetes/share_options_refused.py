from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A file share is mounted with an option or protocol version that is not accepted (mount error 22, 95)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"mount error\((?:22|95)\): (?:Invalid argument|Operation not supported)",
            says="the mount is refused for its options",
            sample="Output: mount error(22): Invalid argument",
            near_miss="Output: mount error(13): Permission denied",
            weight=TYPICAL,
        ),
    ),
    why="mount.cifs hands the mount options of the storage class or volume to the kernel, and these to the server. An option that the kernel of the node does not know, a misspelt one, a value without meaning, or an SMB version (vers=) that the account or server does not speak ends in error 22 or 95; the kernel log names it.",
    remedy=(
        Step(
            "See the options that are asked for.",
            run=("kubectl", "get", "pv", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Read the kernel log of the node (dmesg) right after a failed mount: it names the option.",
            risk=Risk.READ,
        ),
        Step(
            "Take the option out of mountOptions, or write it as mount.cifs knows it, and mount with vers=3.0 or newer. A volume that exists keeps its options: make it anew.",
            risk=Risk.DISRUPTIVE,
            verify="the pod is Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
        "https://learn.microsoft.com/azure/aks/azure-csi-files-storage-provision",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get pv -o yaml",
)
