from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Another process holds the lock on the data directory of a database",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r'failed to obtain node locks?, tried|lock DB directory: resource temporarily unavailable|DBPathInUse: |Unable to (?:create/open|lock) the lock file: |Unable to lock \./ibdata1|lock file "postmaster\.pid" already exists|LockObtainFailedException: Lock held|IO error: (?:lock|While lock file).{0,120}?(?:LOCK: )?(?:Resource temporarily unavailable|already held)|Cannot acquire directory lock|[Dd]atabase lock file .{0,80}?(?:exists|in use)|(?:another|other) (?:mongod|process|instance) (?:instance )?is already (?:running|using) (?:on )?(?:the )?(?:/\S{1,100} )?(?:data )?directory|Failed to acquire lock on file \.lock in ',
            says="the data directory is locked by another process",
            sample="opening storage failed: lock DB directory: resource temporarily unavailable",
            near_miss="acquired lock on data directory /prometheus",
        ),
        Signature(
            pattern=r"OperationalError: database is locked|(?:[Ee]rror|[Ff]ailed)\b.{0,80}?: \"?database is locked|error=\"(?:[\w ]{3,60}: )?database is locked|SQLITE_BUSY|\(5\) database is locked",
            says="a database file is locked by another process, or lies on a share without locks",
            sample="sqlite3.OperationalError: database is locked",
            near_miss="sqlite3: database opened",
            weight=TYPICAL,
            common=True,
        ),
    ),
    why="A database locks its directory so that only one process writes. Two pods share one volume (a rolling update starts the new one before the old one ended, or replicas of a Deployment use one claim), or a lock was left on a file share by a pod that was killed.",
    remedy=(
        Step(
            "See who mounts the claim.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "{namespace}",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Run one replica with the strategy Recreate, or a StatefulSet with a claim for each pod.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "If nobody else runs, delete the lock file that was left.",
            risk=Risk.DISRUPTIVE,
            verify="the database starts",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl get pods -n {namespace} -o wide",
)
