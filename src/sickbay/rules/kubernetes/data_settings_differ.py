from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A database starts with a setting that its existing data does not allow (fixed when the data was made)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"Different (?P<case>lower_case_table_names) settings for server|uses page size \d+,? but the (?:innodb_page_size|only supported page size|start-up parameter)|Requested option conflicts with (?:the )?current storage engine option for (?P<option>\w+)|Cannot change the number of tokens from \d+ to \d+|Cannot start node if snitch.s (?:data center|rack) |recovery aborted because of insufficient parameter settings|hot standby is not possible because of insufficient parameter settings|hot standby is not possible because (?P<standby>\w+) = \d+ is a lower setting|innodb_(?:undo_tablespaces|data_file_path|checksum_algorithm)\b.{0,120}?(?:cannot be changed|different from|does not match)|ibdata1' is of a different size \d+ pages|calculated block CRCs? don't match|[Ii]ncompatible (?:encoding|locale).{0,60}?template database",
            says="a setting differs from that of the data",
            sample="2026-02-02T08:12:33.123456Z 1 [ERROR] [MY-011087] [Server] Different lower_case_table_names settings for server ('1') and data dictionary ('0').",
            near_miss="[Server] lower_case_table_names = 1",
        ),
    ),
    why="Some settings are written into the data when it is initialised: the case of table names and the page size of MySQL, the tokens and the data center of Cassandra, the storage options of MongoDB; a standby of PostgreSQL must allow at least as many connections, workers and locks as its primary. A chart or operator that changes them later meets the old data and the server refuses to start.",
    remedy=(
        Step(
            "See what was changed last in the values of the release.",
            run=("helm", "history", "<release>", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Set it back to what the data was made with; for a PostgreSQL standby raise it on the standby to the value of the primary first.",
            verify="the server starts with the old volume",
        ),
        Step(
            "If the new setting is needed, dump the data, initialise an empty volume with the setting, and restore.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://dev.mysql.com/doc/refman/8.0/en/identifier-case-sensitivity.html",
        "https://www.postgresql.org/docs/current/hot-standby.html",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
