from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A replica of a database cannot follow its primary any more (timeline, log removed, too stale)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"requested timeline \d+ is not (?:a child of|in) this server.s history|requested timeline \d+ does not contain minimum recovery point|new timeline \d+ (?:is not a child of|forked off current)|highest timeline \d+ of the primary is behind recovery timeline|requested WAL segment \w+ has already been removed|[Gg]ot fatal error 1236 from (?:master|source)|(?:Slave|Replica) has more GTIDs than the (?:master|source)|contains transactions not present in the group|[Tt]oo stale to catch up|UnrecoverableRollbackError|We are too stale to use|could not find common ancestor of the source and target|OplogStartMissing",
            says="a replica cannot go on from where it stands",
            sample="FATAL:  requested timeline 4 is not a child of this server's history",
            near_miss="LOG:  started streaming WAL from primary at 137/1000000 on timeline 4",
        ),
    ),
    why="After a failover the old primary, or a replica that was down too long, stands at a point that the new primary does not have in its history, or whose log was removed already. It cannot catch up and ends or retries for ever; its own data is not wanted any more.",
    remedy=(
        Step(
            "See the members and which of them is the primary.",
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
            "Make sure that a healthy primary has all data, and take a backup of it.",
            risk=Risk.READ,
        ),
        Step(
            "Give up the data of this one replica, so that it is copied anew from the primary (delete its claim and pod, or reinit by the operator).",
            run=(
                "kubectl",
                "delete",
                "pvc",
                "<claim",
                "of",
                "the",
                "replica>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="the replica streams from the primary",
        ),
        Step(
            "Keep more log on the primary (wal_keep_size, replication slots, binlog expiry, oplog size), or archive it.",
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://www.postgresql.org/docs/current/warm-standby.html",),
    leads_to=(
        "kubernetes.program_fails",
        "kubernetes.readiness_fails",
    ),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
