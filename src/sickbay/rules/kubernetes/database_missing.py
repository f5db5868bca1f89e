from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The database, schema or table that a program asks for does not exist on its server",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"FATAL: database \"(?P<database>[^\"]{1,100})\" does not exist|relation \"(?P<relation>[^\"]{1,100})\" does not exist|(?:ERROR 1049|Error 1049|Unknown database) .{0,20}?\x27(?P<mysql>[^\x27]{1,100})\x27|Table \x27(?P<table>[\w.-]{1,100})\x27 doesn\x27t exist|Cannot open database \"(?P<sql>[^\"]{1,100})\" requested by the login|Invalid object name \x27(?P<object>[\w.\[\]]{1,100})\x27|no such table: (?P<sqlite>\w{1,80})|schema \"(?P<schema>[^\"]{1,80})\" does not exist|ORA-00942",
            says="a database or table does not exist",
            sample='org.postgresql.util.PSQLException: FATAL: database "shop" does not exist',
            near_miss='database "shop" created',
            common=True,
            # Without its own tables a server has lost its data directory.
            unless=r"(?i)mysql\.plugin table|privilege tables",
        ),
    ),
    why="The server was reached and the sign-in worked, but the database or table is not there: it was never made, the migration did not run or ran on another server, or the name in the connection string is another one.",
    remedy=(
        Step(
            "See what the connection string names.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the database or run the migrations, then restart the workload.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "<workload>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the program starts",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/init-containers/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
