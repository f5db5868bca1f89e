from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The host caching of a disk does not fit its type or size (Premium SSD v2, Ultra, above 4 TiB: only None)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)is not supported with caching type (?P<caching>\w+)|cachingMode (?P<mode>\w+) is not supported for (?P<sku>\w+)|Only Disk CachingType 'None' is supported for disk with size greater than (?P<limit>\d+) GB",
            says="the caching of the disk is not possible[: {caching}][: {mode} for {sku}][ above {limit} GB]",
            sample="InvalidParameter: Storage Account type PremiumV2_LRS is not supported with caching type ReadOnly. Please use caching type None.",
            near_miss="Storage account type Premium_LRS, caching type ReadOnly",
        ),
    ),
    why="The cache on the host serves Premium SSD and standard disks of up to 4095 GiB. Premium SSD v2 and Ultra disks have none, nor has a disk that is made or grown beyond that size. A storage class, or the volume that was made from it, still asks for ReadOnly or ReadWrite, so Azure refuses to make, attach, detach or enlarge the disk.",
    remedy=(
        Step(
            "See which caching the volume asks for.",
            run=(
                "kubectl",
                "get",
                "pv",
                "-o",
                "custom-columns=NAME:.metadata.name,SIZE:.spec.capacity.storage,CACHE:.spec.csi.volumeAttributes.cachingMode",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make a storage class with cachingMode: None; a class and the attributes of a volume cannot be changed, so a volume that exists is bound anew under a PersistentVolume with None (reclaim policy Retain first).",
        ),
        Step(
            "Where a detach is stuck, set Host caching of the data disk to None on the instance of the scale set; then delete the pod, so that it is attached anew.",
            verify="kubectl get volumeattachments shows ATTACHED true",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-premium-v2-disks",),
    leads_to=(
        "kubernetes.mount_failed",
        "kubernetes.claim_unbound",
        "kubernetes.volume_resize_failed",
        "aks.parameter_invalid",
        "aks.disk_detach_failed",
    ),
    ask="kubectl get storageclass -o yaml",
)
