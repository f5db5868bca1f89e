from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server says of itself that it is not ready",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"API server at \S{3,120} fails its check (?P<check>[\w./-]{1,100})",
            says="the API server fails its own check {check}",
            sample="the API server at 10.0.0.4:6443 fails its check poststarthook/rbac/bootstrap-roles",
            near_miss="readyz check passed",
            weight=TYPICAL,
        ),
    ),
    why="The API server answers, and one of the parts that it needs does not work (yet): its store, a cache that is still being filled, a step of its start that fails. For a minute after a start this is normal; if it lasts, requests fail or see an old state, and load balancers take the server out.",
    remedy=(
        Step(
            "See which checks fail, and whether they still do after a minute.",
            run=("kubectl", "get", "--raw", "/readyz?verbose"),
            risk=Risk.READ,
            verify="it ends with: readyz check passed",
        ),
        Step(
            "On your own control plane, read the log of kube-apiserver from its start; on AKS open a ticket if it lasts."
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/using-api/health-checks/",),
    ask="kubectl get --raw /readyz?verbose",
)
