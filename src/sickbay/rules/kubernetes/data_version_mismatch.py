from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The files on a volume were written by another version of the database than the one that starts",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.STORAGE,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"database files are incompatible with server|data directory was initialized by PostgreSQL version (?P<old>[\d.]+), which is not compatible|(?:Invalid|Unsupported) (?:MySQL|MariaDB) server (?:down|up)grade|Cannot (?:down|up)grade from \d+ to \d+|\[InnoDB\] (?:Unsupported redo log format|Cannot boot server (?:version )?\d+ on data directory)|UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion|featureCompatibilityVersion document .{0,200}?(?:invalid|ERROR)|cannot upgrade a node from version \[|The data (?:format|on disk) version .{0,80}?(?:is newer|not supported)|Can\x27t handle RDB format version|Unknown xl meta version|Un(?:supported|known) backend format|required feature flag not enabled! It must be enabled before upgrading|disabled_required_feature_flag|Script level upgrade for database '(?P<script>[^']{1,128})' failed|cannot be opened because it is version \d+\. This server supports version|Failed to start up WiredTiger under any compatibility version",
            says="the data was written by another version",
            sample="DETAIL:  The data directory was initialized by PostgreSQL version 13, which is not compatible with this version 16.1.",
            near_miss="database system was shut down at 2024-03-01 10:00:00 UTC",
        ),
    ),
    why="The image went to another major version, and the volume still holds files of the old one. Databases do not read files across major versions without an upgrade in steps, and none reads those of a newer one.",
    remedy=(
        Step(
            "Go back to the image of the old version.",
            run=(
                "kubectl",
                "rollout",
                "undo",
                "<workload>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Upgrade by the way that the vendor states: dump and restore, or a tool such as pg_upgrade, one major version at a time; take a snapshot of the volume first.",
            risk=Risk.DISRUPTIVE,
            verify="the database starts",
        ),
    ),
    docs=("https://www.postgresql.org/docs/current/upgrading.html",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
