from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A FlexVolume driver is missing on the node or fails, so the kubelet cannot read its answer",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?:MountVolume|UnmountVolume|AttachVolume|MountDevice)[\w.]* failed for volume \"?(?P<volume>[\w./-]+)\"? :? ?(?:.{0,120}? )?invalid character '[^']{1,4}' looking for beginning of value|azure~blobfuse/\S{0,200} failed|Failed to mount device /dev/ at \S{0,160}azure~\w+|FlexVolume: driver call failed|[Ff]lexvolume.{0,120}?(?:driver call failed|executable file not found|[Ff]ailed to unmarshal output)",
            says="the FlexVolume driver gave no answer that the kubelet understands",
            sample="Warning  FailedMount  10m  kubelet  MountVolume.SetUp failed for volume \"data\" : invalid character 'E' looking for beginning of value",
            near_miss='Normal  SuccessfulMountVolume  10m  kubelet  MountVolume.SetUp succeeded for volume "data"',
            weight=TYPICAL,
        ),
    ),
    why="A FlexVolume is mounted by a program on the node that answers in JSON. When the program is absent, or prints an error of its own (no temporary folder, a wrong key, no blobfuse), the kubelet only says that it cannot read the first character. FlexVolume is no longer maintained, and new node images do not bring its drivers.",
    remedy=(
        Step(
            "See which volumes still use it.",
            run=(
                "kubectl",
                "get",
                "pv",
                "-o",
                "custom-columns=NAME:.metadata.name,DRIVER:.spec.flexVolume.driver",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Move to the CSI driver of the same storage: blob.csi.azure.com for blobfuse, file.csi.azure.com for SMB shares, secrets-store.csi.k8s.io for Key Vault.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-blob-driver",
            ),
            risk=Risk.SAFE,
            verify="kubectl get csidrivers lists blob.csi.azure.com",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/azure-blob-csi",
        "https://kubernetes.io/docs/concepts/storage/volumes/#flexvolume",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get pv -o yaml",
)
