from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A database does not start as a new cluster: its archive holds the logs of another (Expected empty archive)",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"WAL archive check failed for server (?P<server>[\w.-]{1,100}): Expected empty archive|unexpected failure invoking barman-cloud-wal-archive.{0,80}?not empty|archive-push .{0,120}?(?:WAL file .{0,80}? already exists in the .{0,40}?archive with a different checksum)",
            says="the archive of [{server}] is not empty",
            sample="2026-05-23 21:53:16,032 [17] ERROR: WAL archive check failed for server shop-db: Expected empty archive",
            near_miss="INFO: WAL archive check passed for server shop-db",
        ),
    ),
    why="The log (WAL) of two clusters in one place would make both backups worthless, so the backup tool lets a new or restored cluster begin only in an empty archive. A cluster that is recreated or restored under its old name and path meets the logs of its predecessor.",
    remedy=(
        Step(
            "See where the cluster keeps its backups.",
            run=("kubectl", "get", "clusters.postgresql.cnpg.io", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Give the new cluster another server name or path in its backup settings, and keep the old one as the source of the recovery.",
            risk=Risk.SAFE,
            verify="the recovery job ends and the first instance starts",
        ),
    ),
    docs=("https://cloudnative-pg.io/documentation/current/recovery/",),
    leads_to=(
        "kubernetes.program_fails",
        "kubernetes.job_failed",
    ),
    ask="kubectl logs {pod} -n {namespace} --all-containers --tail=100",
)
