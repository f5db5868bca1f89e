from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A database takes no more connections: its limit is reached (too many clients)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"sorry, too many clients already|remaining connection slots are reserved|message from server: \"?Too many connections|ERROR 1040|Error 1040|ERROR (?:\(HY000\)|HY000).{0,30}?Too many connections|\(1040, |max number of clients reached|ORA-12516|ORA-12520|The request limit for the database is \d+ and has been reached|Resource ID : \d+\. The (?:session|request|login)s? limit|max_user_connections|too many connections for (?:role|database) \"?(?P<role>[\w.-]+)",
            says="a database has no free connection",
            sample="FATAL: sorry, too many clients already",
            near_miss="connection pool has 10 of 100 connections in use",
            common=True,
        ),
    ),
    why="The server allows a fixed number of connections, and pools of all replicas together ask for more: too many replicas, pools that are too large, or connections that are not given back.",
    remedy=(
        Step(
            "Count: replicas times pool size must stay below the limit of the server.",
            run=(
                "kubectl",
                "get",
                "deployments,statefulsets",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the pools smaller, put a pooler such as PgBouncer between, or raise the limit or size of the server.",
            risk=Risk.DISRUPTIVE,
            verify="the program connects",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-limits",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
