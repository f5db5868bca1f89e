from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A database gives up a query or connection: deadlock, lock wait or statement timeout, server has gone away",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"Deadlock found when trying to get lock|deadlock detected|was deadlocked on lock resources|Lock wait timeout exceeded|canceling statement due to (?:statement|lock|user|idle)|could not serialize access due to|MySQL server has gone away|is blocked because of many connection errors|Lost connection to MySQL server during query|terminating connection due to (?:idle|administrator|conflict)|Packet for query is too large|max_allowed_packet|WriteConflict error|Operation exceeded time limit",
            says="a database ended a query or connection",
            sample="ERROR 1213 (40001): Deadlock found when trying to get lock; try restarting transaction",
            near_miss="query OK, 1 row affected",
            weight=TYPICAL,
            common=True,
            passes=True,
        ),
    ),
    why="The server was reached, and ended the work: two transactions wait for each other, a lock or a slow query took longer than allowed, or an idle or too large connection was closed. Missing indexes, long transactions and pools that keep dead connections are the usual reasons.",
    remedy=(
        Step("See what runs and waits in the database.", risk=Risk.READ),
        Step(
            "Shorten transactions, add the index or raise the timeout that is too short; let the pool test connections before use and drop idle ones earlier than the server does.",
            risk=Risk.SAFE,
            verify="the log has no new timeouts",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
