from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The shared memory of a container is too small (/dev/shm has 64 MB)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"could not resize shared memory segment|could not (?:create|map|open) shared memory segment|out of shared memory(?: limit)?\. |workers are out of shared memory|raise your shared memory limit|session deleted because of page crash|/dev/shm.{0,80}?(?:[Nn]o space left|too small|ENOSPC)|shm_open|Error while (?:attaching to|creating) shared memory segment /dev/shm/nccl|Error while creating shared memory segment",
            says="a program has no shared memory left",
            sample='ERROR:  could not resize shared memory segment "/PostgreSQL.1234" to 8388608 bytes: No space left on device',
            near_miss="shared_buffers = 128MB",
        ),
    ),
    why="A container gets 64 MB for /dev/shm. Databases, browsers and data loaders that share memory between processes need more, and fail with bus errors, page crashes or `No space left on device` on a shared memory segment although disk and memory limit have room.",
    remedy=(
        Step(
            "Mount an emptyDir of medium Memory at /dev/shm (with sizeLimit below the memory limit: it counts against it).",
            risk=Risk.DISRUPTIVE,
            verify="kubectl exec {pod} -n {namespace} -- df -h /dev/shm shows the new size",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/volumes/#emptydir",),
    leads_to=(
        "kubernetes.program_fails",
        "kubernetes.disk_full",
    ),
    ask="kubectl exec {pod} -n {namespace} -- df -h /dev/shm",
)
