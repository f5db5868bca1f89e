from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The token of a service account is no longer accepted (Unauthorized)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)service account token (?:has )?(?:expired|is not valid|been invalidated)|invalid bearer token|Unauthorized.{0,60}?token (?:lookup failed|is expired)",
            says="the token of a service account was rejected",
            sample='E1117 10:11:12.131415 1 authentication.go:73] "Unable to authenticate the request" err="[invalid bearer token, service account token has expired]"',
            near_miss="serviceaccount/cart created",
            unless=r"oidc:|not valid yet|not yet valid",
            passes=True,
        ),
    ),
    why="The token has expired, or belongs to an account that was deleted and made again; old clients that read the token only once fail after an hour.",
    remedy=(
        Step(
            "See the service accounts of the namespace.",
            run=("kubectl", "get", "serviceaccounts", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Restart pods that hold a stale token.",
            run=("kubectl", "rollout", "restart", "deployment/<deployment>", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="the log shows no further Unauthorized",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/security/service-accounts/",),
    leads_to=(
        "kubernetes.rollout_stuck",
        "kubernetes.program_fails",
    ),
    ask="kubectl get serviceaccounts -n {namespace}",
)
