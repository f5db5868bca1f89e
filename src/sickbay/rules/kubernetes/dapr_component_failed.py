from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Dapr sidecar does not start: one of its components cannot be initialised (INIT_COMPONENT_FAILURE)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"INIT_COMPONENT_FAILURE|Fatal error from runtime: (?:failed to load components|process component)",
            says="a Dapr component could not be initialised",
            sample='level=fatal msg="Fatal error from runtime: process component statestore error: [INIT_COMPONENT_FAILURE]: initialization error occurred for statestore (state.redis/v1): the teapot is cold"',
            near_miss='level=info msg="component loaded. name: statestore, type: state.redis/v1"',
            unless=r"code = Unavailable|connection refused|i/o timeout|no such host|identity certificate|to sentry",
        ),
        Signature(
            pattern=r"Fatal error from runtime: |process component \S{1,100} error|couldn.t find (?:state store|pubsub) |error initializing (?:pub ?sub|state store|secret store|(?:in|out)put bindings?) (?:state|pubsub|secretstores|bindings)\.\S{1,80}|failed to init (?:state store|pubsub|input bindings|output bindings|secret ?store)|(?i:dapr).{0,80}?(?:error (?:creating|initializing|processing) component|failed to load components?: )",
            says="a Dapr component could not be initialised",
            sample='app_id=cart instance=cart-1 scope=dapr.runtime level=error msg="error processing component, daprd will exit gracefully"',
            near_miss='app_id=cart instance=cart-1 scope=dapr.runtime level=info msg="component loaded. name: statestore"',
            weight=TYPICAL,
            unless=r"code = Unavailable|connection refused|i/o timeout|no such host|identity certificate|to sentry",
        ),
    ),
    why="daprd loads every component of its namespace that is scoped to the app before it serves. A component whose secret, address or metadata is wrong, or whose store is not reached, ends the sidecar, and with it the pod.",
    remedy=(
        Step(
            "Read the log of the sidecar.",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
                "-c",
                "daprd",
                "--previous",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the component (secret, address, metadata, scopes), or set ignoreErrors: true for one that may be missing.",
            run=(
                "kubectl",
                "get",
                "components.dapr.io",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
            verify="the daprd container is ready",
        ),
    ),
    docs=("https://docs.dapr.io/operations/troubleshooting/common_issues/",),
    leads_to=(
        "kubernetes.program_fails",
        "kubernetes.readiness_fails",
    ),
    ask="kubectl logs {pod} -n {namespace} -c daprd",
    wraps=True,
)
