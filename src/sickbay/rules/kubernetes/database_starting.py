from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A database is still starting, recovering or shutting down, and takes no connections yet",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"the database system is (?:starting up|in recovery mode|shutting down|not yet accepting connections)|not ready to accept new client connections|Server is in script upgrade mode|NotYetInitialized|no replset config has been received|COORDINATOR_LOAD_IN_PROGRESS|LOADING Redis is loading the dataset|Neo4j is not (?:yet )?(?:available|ready)|The database is not yet available|Cassandra .{0,40}?not (?:yet )?started",
            says="a database does not take connections yet",
            sample="FATAL:  the database system is starting up",
            near_miss="LOG:  database system is ready to accept connections",
            weight=TYPICAL,
            passes=True,
            common=True,
            ended_by=r"ready to accept connections",
        ),
    ),
    why="The server process runs but replays its log, loads its data or joins its cluster, and refuses connections until then. A client that does not wait ends; a liveness probe with too little patience kills the server again and again before recovery is done.",
    remedy=(
        Step(
            "Read the log of the database: it says how far recovery is.",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give it a startup probe with enough time, and let clients retry or wait in an init container.",
            risk=Risk.DISRUPTIVE,
            verify="the database is ready and clients connect",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",),
    leads_to=(
        "kubernetes.program_fails",
        "kubernetes.readiness_fails",
        "kubernetes.probe_failed",
    ),
    ask="kubectl get pods -n {namespace}",
)
