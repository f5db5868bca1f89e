from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A database refuses its data directory: it is not empty (lost+found), or has the wrong owner or mode",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r'initdb: (?:error: )?directory "(?P<directory>[^"]{3,200})" exists but is not empty|It contains a lost\+found directory|--initialize specified but the data directory has files in it|data directory "(?P<path>[^"]{3,200})" has (?:wrong ownership|group or world access|invalid permissions)|Found directory \S{0,200}?lost\+found, .{0,40}?is not in the form of topic-partition|data directory (?:\S{1,200} )?(?:is unusable|has files in it)|open (?:block )?\S{1,200}/lost\+found\b.{0,200}?permission denied',
            says="the data directory of a database is not as it must be",
            sample='initdb: error: directory "/var/lib/postgresql/data" exists but is not empty',
            near_miss="PostgreSQL Database directory appears to contain a database; Skipping initialization",
        ),
    ),
    why="A database makes its files only in an empty directory that belongs to its own user. The root of a new ext4 disk holds lost+found, and a share or volume of another owner or mode (SMB, hostPath, changed fsGroup) is refused as well.",
    remedy=(
        Step(
            "Mount the volume one level higher, or use a folder below its root: PGDATA=/var/lib/postgresql/data/pgdata, or subPath in the volume mount.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "For owner and mode set fsGroup and runAsUser of the pod to the user of the database; on file shares set uid, gid and mode in the mount options.",
            risk=Risk.DISRUPTIVE,
            verify="the database starts",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/storage/volumes/",
        "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
