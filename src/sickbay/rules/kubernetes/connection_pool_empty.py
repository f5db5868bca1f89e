from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program gets no connection from its own pool: all are in use, or none can be opened to the database",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"Connection is not available, request timed out after|prior to obtaining a connection from the pool|QueuePool limit of size \d+ overflow|Timed out fetching a new connection from the connection pool|Timeout acquiring a connection\. The pool is probably full|ResourceRequest timed out|Cannot get a connection, pool error|remaining connection slots in the pool|The connection pool has been exhausted|query_wait_timeout|no more connections allowed \(max_client_conn\)|Could not create connection to database server|IJ031084: Unable to create connection|IJ000453: Unable to get managed connection|IJ000655: No managed connections available",
            says="the connection pool of a program is empty",
            sample="java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out after 30000ms.",
            near_miss="HikariPool-1 - Start completed.",
            weight=TYPICAL,
            common=True,
        ),
    ),
    why="Requests wait for a connection of the pool and give up. Either all are held by slow queries or never given back, the pool is too small for the load, or new ones cannot be opened because the database is down, full or out of reach; the error before the first of these says which.",
    remedy=(
        Step(
            "Look for the first error before it.",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend the way to the database, slow queries or leaks first; enlarge the pool only within the limit of the server.",
            risk=Risk.DISRUPTIVE,
            verify="the program serves without this message",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-connection-pooling-best-practices",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
