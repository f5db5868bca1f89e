from sickbay.model.quantity import memory, number
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import PersistentVolume, PersistentVolumeClaim
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(PersistentVolumeClaim)
def fits_no_volume(claim: PersistentVolumeClaim, snapshot: Snapshot) -> Match | Clear | None:
    wanted, named = set(claim.spec.access_modes or ()), claim.spec.storage_class_name
    if claim.status.phase != "Pending" or not wanted:
        return None
    free = _free(claim, named or "", snapshot)
    if free and not any(_is_selected(claim, one) for one in free):
        return _lacks_labels(claim, free[0])
    unfit = [one for one in free if not wanted <= set(one.spec.access_modes or ())]
    if len(unfit) < len(free):
        return _is_too_large(claim, [one for one in free if one not in unfit])
    if not unfit:
        return Clear(f"access modes keep no volume from claim {claim.namespace}/{claim.name}")
    modes, first = " and ".join(sorted(wanted)), unfit[0]
    offered = " and ".join(first.spec.access_modes or ()) or "nothing"
    return Match(
        f"claim {claim.namespace}/{claim.name} wants {modes}, and volume {first.name} of its class allows {offered}",
        facts={"claim": claim.name, "modes": modes, "volume": first.name},
        cites=(claim.cite("spec.accessModes", modes), first.cite("spec.accessModes", offered)),
    )


def _free(claim: PersistentVolumeClaim, named: str, snapshot: Snapshot) -> list[PersistentVolume]:
    return [
        volume
        for volume in snapshot.all(PersistentVolume)
        if (volume.spec.storage_class_name or "") == named
        and volume.status.phase == "Available"
        and claim.spec.volume_name in (None, "", volume.name)
    ]


def _is_selected(claim: PersistentVolumeClaim, volume: PersistentVolume) -> bool:
    return claim.spec.selector is None or claim.spec.selector.selects(volume.labels)


def _lacks_labels(claim: PersistentVolumeClaim, volume: PersistentVolume) -> Match:
    asked = claim.spec.selector.match_labels if claim.spec.selector else None
    wanted = ", ".join(f"{key}={value}" for key, value in sorted((asked or {}).items()))
    wanted = wanted or "other labels"
    return Match(
        f"claim {claim.namespace}/{claim.name} selects volumes with {wanted}, and no free volume of its class has them ({volume.name} has not)",
        facts={"claim": claim.name, "modes": wanted, "volume": volume.name},
        cites=(claim.cite("spec.selector", wanted), volume.cite("metadata.labels", "")),
    )


def _is_too_large(claim: PersistentVolumeClaim, free: list[PersistentVolume]) -> Match | Clear:
    """Whether a claim wants more than the largest of the volumes that would do otherwise."""
    wanted = number(((claim.spec.resources and claim.spec.resources.requests) or {}).get("storage"))
    largest = max(free, key=lambda one: number((one.spec.capacity or {}).get("storage")))
    held = number((largest.spec.capacity or {}).get("storage"))
    is_told = all((one.spec.capacity or {}).get("storage") for one in free)
    if wanted <= held or not is_told:
        return Clear(
            f"access modes keep no volume from claim {claim.namespace}/{claim.name}, nor does its size"
        )
    return Match(
        f"claim {claim.namespace}/{claim.name} wants {memory(wanted)}, and the largest free volume of its class, {largest.name}, has {memory(held)}",
        facts={"claim": claim.name, "modes": memory(wanted), "volume": largest.name},
        cites=(
            claim.cite("spec.resources.requests.storage", memory(wanted)),
            largest.cite("spec.capacity.storage", memory(held)),
        ),
    )


RULE = Rule(
    title="A claim wants an access mode, size or class that its volume, or any free one, does not have",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        fits_no_volume,
        Signature(
            pattern=r"\bVolumeMismatch\b|Cannot bind to requested volume \"(?P<volume>[\w.-]+)\"",
            says="a claim does not fit the volume that it names",
            sample='Warning  VolumeMismatch  8s  persistentvolume-controller  Cannot bind to requested volume "pv-nfs": storageClassName does not match',
            near_miss="Normal  Bound  8s  persistentvolume-controller  claim is bound to pv-nfs",
        ),
        Signature(
            pattern=r"volume (?P<volume>[\w.-]+) has volumeMode (?P<modes>Block|Filesystem), but is specified in volume(?:Mounts|Devices)",
            says="the volume {volume} is of mode {modes}, and the container uses it as the other",
            sample="Warning  FailedMount  2s (x6 over 18s)  kubelet  Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: volume data has volumeMode Block, but is specified in volumeMounts",
            near_miss="Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: timed out waiting for the condition",
        ),
    ),
    why="A claim is bound to an existing volume of its class only when that volume allows every access mode that the claim wants and is at least as large; ReadWriteMany does not fit a volume that was made for ReadWriteOnce. No volume being free for it, the claim stays Pending. A volume of mode Block is a raw device: a container names it under volumeDevices, and one of mode Filesystem under volumeMounts.",
    remedy=(
        Step(
            "Compare access modes and sizes.",
            run=("kubectl", "get", "pv,pvc", "-n", "{namespace}", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Make the claim anew with an access mode and a size that {volume} has, or make a volume that offers {modes} (on Azure: a larger disk, or a file share instead of a disk).",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pvc {claim} -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes",),
    leads_to=(
        "kubernetes.claim_unbound",
        "kubernetes.storage_class_missing",
        "kubernetes.pod_pending",
        "kubernetes.mount_failed",
    ),
    ask="kubectl get pv -o wide",
)
