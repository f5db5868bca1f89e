from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The repo server of Argo CD does not answer or dies while it renders, so no application can be compared",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?:failed to generate manifests?|[Ff]ailed to load target state|ComparisonError|failed to compare revisions|GenerateManifest|argocd-repo-server).{0,300}?(?:error reading from server: EOF|transport is closing|Error while dialing|code = (?:Unavailable|DeadlineExceeded)|connection refused|no healthy upstream)|(?:helm|kustomize) [\w -]{3,60}[`'\"]? failed:? signal: killed|code = Unavailable desc = .{0,200}?:8081: (?:read|connect|i/o|write)",
            says="the repo server does not answer",
            sample="Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unavailable desc = error reading from server: EOF",
            near_miss="Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = authentication required",
            weight=TYPICAL,
            unless=r"failed to (?:sync cluster|get cluster)|ls-remote|git fetch|/info/refs",
            passes=True,
        ),
    ),
    why="The application controller asks the repo server for the manifests of each application. If that is killed for its memory, restarts under load, renders longer than its timeout, or is cut off by a network policy, every refresh fails with the state Unknown.",
    remedy=(
        Step(
            "See whether the repo server was restarted or killed.",
            run=(
                "kubectl",
                "describe",
                "pods",
                "-n",
                "argocd",
                "-l",
                "app.kubernetes.io/name=argocd-repo-server",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read what it was doing.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "argocd",
                "deployment/argocd-repo-server",
                "--previous",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give it more memory or replicas, limit what it renders at once (--parallelismlimit), or raise the timeout (controller.repo.server.timeout.seconds).",
            risk=Risk.DISRUPTIVE,
            verify="the applications are no longer in the state Unknown",
        ),
    ),
    docs=(
        "https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/#argocd-repo-server",
    ),
    ask="kubectl describe pods -n argocd -l app.kubernetes.io/name=argocd-repo-server",
)
