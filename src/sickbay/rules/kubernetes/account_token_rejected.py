from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A service account does not exist, or its token is no longer accepted",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)service account token (?:has )?(?:expired|is not valid|been invalidated)|invalid bearer token|serviceaccounts? \"(?P<account>[\w./:-]+)\" not found|error looking up service account (?P<looked>[\w./-]+): serviceaccount|Unauthorized.{0,60}?token (?:lookup failed|is expired)",
            says="the token of a service account was rejected, or the account does not exist",
            sample='Error creating: pods "cart-1" is forbidden: error looking up service account shop/cart: serviceaccount "cart" not found',
            near_miss="serviceaccount/cart created",
            unless=r"oidc:",
        ),
    ),
    why="The service account that the pod names does not exist, or its token has expired or belongs to an account that was deleted and made again; old clients that read the token only once fail after an hour.",
    remedy=(
        Step(
            "See the service accounts of the namespace.",
            run=("kubectl", "get", "serviceaccounts", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Create the account.",
            run=("kubectl", "create", "serviceaccount", "<account>", "-n", "{namespace}"),
        ),
        Step(
            "Restart pods that hold a stale token.",
            run=("kubectl", "rollout", "restart", "deployment/<deployment>", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="the log shows no further Unauthorized",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/security/service-accounts/",),
    leads_to=("kubernetes.rollout_stuck",),
    ask="kubectl get serviceaccounts -n {namespace}",
    spreads=False,
)
