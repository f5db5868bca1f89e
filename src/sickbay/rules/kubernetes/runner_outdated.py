from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A build agent is too old for its service, which gives it no jobs any more (runner version deprecated)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"Runner version v?(?P<version>[\d.]+) is deprecated and cannot receive messages|runner version .{0,40}?is (?:too old|no longer supported)",
            says="the runner {version} is no longer served",
            sample="An error occurred: Runner version v2.305.0 is deprecated and cannot receive messages.",
            near_miss="Current runner version: '2.317.0'",
        ),
    ),
    why="GitHub and Azure DevOps serve agents of the last months only. One in an image that disables its own update (--disableupdate, as the runner scale sets do) is refused some day, so its pod starts, ends, and is started again while the jobs stay queued.",
    remedy=(
        Step(
            "See which image the runners use.",
            run=("kubectl", "get", "pods", "-A", "-o", "jsonpath={..image}"),
            risk=Risk.READ,
        ),
        Step(
            "Build the image anew on the current base (ghcr.io/actions/actions-runner), and roll it out; rebuild it each month.",
            risk=Risk.DISRUPTIVE,
            verify="the runner says Listening for Jobs",
        ),
    ),
    docs=(
        "https://docs.github.com/actions/hosting-your-own-runners/managing-self-hosted-runners/autoscaling-with-self-hosted-runners",
    ),
    leads_to=("kubernetes.program_fails", "kubernetes.exits_at_once"),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
