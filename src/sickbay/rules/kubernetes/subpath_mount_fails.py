from sickbay.model.guards import ConfigMap
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.templates import MapSource
from sickbay.model.workloads import Deployment, StatefulSet
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(Deployment)
def mounts_no_key(deployment: Deployment, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(deployment, snapshot)


@each(StatefulSet)
def member_mounts_no_key(members: StatefulSet, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(members, snapshot)


def _judge(work: Deployment | StatefulSet, snapshot: Snapshot) -> Match | Clear | None:
    template = work.spec.template
    if template is None or work.spec.replicas == 0:
        return None
    maps = {one.name: one.config_map for one in template.spec.volumes or () if one.config_map}
    for container in template.spec.containers:
        for mount in container.volume_mounts or ():
            source, path = maps.get(mount.name), mount.sub_path or ""
            files = _files(source, work.namespace, snapshot) if source and path else None
            if source is None or files is None or path.split("/")[0] in files:
                continue
            return Match(
                f"container {container.name} of {work.namespace}/{work.name} mounts {path} of config map {source.name}, which has {', '.join(files) or 'nothing'}: it gets an empty folder instead",
                facts={"mount": mount.name, "key": path, "map": source.name or ""},
                cites=(
                    work.cite(f"spec.template.spec.containers[{container.name}].subPath", path),
                ),
                # An empty folder may be what is wanted, until the program misses a file.
                felt_as=_FELT,
            )
    return Clear(f"{work.namespace}/{work.name} mounts by subPath what its config maps have")


def _files(source: MapSource, namespace: str, snapshot: Snapshot) -> list[str] | None:
    """The names of the files and folders that a config map makes in its volume, if known."""
    if source.items:
        return [one.path.split("/")[0] for one in source.items]
    found = snapshot.get(kube("ConfigMap", namespace, source.name or ""), ConfigMap)
    return None if found is None else found.keys


_FELT = (
    "kubernetes.program_fails",
    "kubernetes.file_missing",
    "kubernetes.config_invalid",
    "kubernetes.setting_missing",
    "kubernetes.exits_at_once",
    "kubernetes.container_create_fails",
    "kubernetes.container_start_fails",
)

RULE = Rule(
    title="The subPath of a volume mount cannot be prepared: it is missing, or a file where a directory is expected",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.WORKLOAD),
    detect=(
        mounts_no_key,
        member_mounts_no_key,
        Signature(
            pattern=r'failed to (?:prepare|create) subPath (?:directory )?for volumeMount "?(?P<mount>[\w.-]+)|(?i:Are you trying to mount a directory onto a file)|volume-subpaths/[^ ]{1,300}(?: to rootfs)?.{0,200}?(?:no such file or directory|not a directory)',
            says="a subPath could not be mounted",
            sample='Error: failed to prepare subPath for volumeMount "settings" of container "app"',
            near_miss='Error: failed to start container "app": context deadline exceeded',
        ),
        Signature(
            pattern=r"(?:CreateContainerConfigError|Error): missing value for (?P<variable>[A-Z][A-Z0-9_]{1,100})\b",
            says="the subPathExpr of a mount names the variable {variable}, which the container does not have",
            sample="Warning  Failed  3s (x5 over 45s)  kubelet  Error: missing value for POD_NAME",
            near_miss="Error: missing value for required argument --name",
            unless=r"missing value for (?:a |the )?(?:required|argument|flag|option|parameter|field|-)",
        ),
        Signature(
            pattern=r"\bEISDIR\b|\bIsADirectoryError\b|[\w/.-]{2,200}: (?:read error: )?[Ii]s a directory\b|failed \(21: Is a directory\)|FileNotFoundException: \S{1,200} \(Is a directory\)",
            says="a program finds a folder where it expects a file",
            sample="panic: open config: read /etc/app/config.yaml: is a directory",
            near_miss="panic: open config: open /etc/app/config.yaml: no such file or directory",
            weight=TYPICAL,
            unless=r"exec:? |permission denied|RunContainerError|StartError",
        ),
    ),
    why="A subPath mounts one file or directory of a volume. It fails when the path does not exist on a read-only volume, gives an empty folder in place of a file when a config map has no such key, when a file is mounted over a directory or the reverse, when subPathExpr names a variable that env does not define, or when the config map behind it was changed while the container restarted.",
    remedy=(
        Step(
            "See the mounts of the container.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.containers[*].volumeMounts}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct subPath and mountPath so that both are files or both directories; after a change of the config map delete the pod, so that it is made afresh.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/volumes/#using-subpath",),
    leads_to=(
        "kubernetes.crash_loop",
        "kubernetes.rollout_stuck",
        "kubernetes.config_missing",
        *_FELT,
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
