from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The token of a service account is no longer accepted (Unauthorized)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)service account token (?:has )?(?:expired|is not valid|been invalidated)|invalid bearer token|(?:reconcil\w+ failed|last release revision|HelmRelease).{0,160}?failed to (?:query|list)(?: with labels)?: Unauthorized|Unauthorized.{0,60}?token (?:lookup failed|is expired)",
            says="the token of a service account was rejected",
            sample='E1117 10:11:12.131415 1 authentication.go:73] "Unable to authenticate the request" err="[invalid bearer token, service account token has expired]"',
            near_miss="serviceaccount/cart created",
            unless=r"oidc:|not valid yet|not yet valid",
            passes=True,
        ),
        Signature(
            # As the client of a controller says it; kubelet and CoreDNS have rules of their own.
            pattern=r"reflector\.go:\d+\]? .{0,160}?[Ff]ailed to (?:list|watch) \*?\S{2,100}: (?:Unauthorized|the server has asked for the client to provide credentials)|failed to create watch: .{0,200}?http error 401|ApiException\b.{0,80}?\(401\) Reason: Unauthorized|\(?Kubernetes API error\)?.{0,200}?\(401\)",
            says="the API server does not accept the token of a program",
            sample="E0509 02:05:11.750695 6 reflector.go:125] k8s.io/client-go/informers/factory.go:132: Failed to list *v1.Service: Unauthorized",
            near_miss='E0509 02:05:11.750695 6 reflector.go:125] k8s.io/client-go/informers/factory.go:132: Failed to list *v1.Service: Get "https://10.0.0.1:443": net/http: TLS handshake timeout',
            weight=TYPICAL,
            passes=True,
            unless=r"/kubelet/|plugin/kubernetes|certificate_manager",
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
