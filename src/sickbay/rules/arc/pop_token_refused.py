from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure RBAC on the Arc cluster refuses the token: it is no proof-of-possession (PoP) token for this cluster",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)Invalid Pop token due to host mismatch|PoP token invalid schema|Wrong typ\. Expected 'pop'|Could not parse PoP token|Invalid token\. '(?:u|ts|typ|cnf)' claim|required u-claim not provided for PoP|(?:failed to parse|unable to parse) PoP token claims|PoP token claims required",
            says="the token is not bound to this cluster",
            sample='Invalid Pop token due to host mismatch. Expected: "/subscriptions/s/connectedClusters/edge01", received: "/subscriptions/s/connectedClusters/edge02"',
            near_miss="pop token validation running with hostName: edge01",
        ),
    ),
    why="Azure RBAC on Arc-enabled Kubernetes (guard, kube-aad-proxy) accepts only tokens that are bound to the client's key and to the ARM id of the cluster (u claim). An old kubelogin, one that was called without --pop-enabled and --pop-claims, or claims of another cluster bring a token that is refused as Unauthorized.",
    remedy=(
        Step(
            "Let kubelogin ask for such a token.",
            run=(
                "kubelogin",
                "convert-kubeconfig",
                "-l",
                "interactive",
                "--pop-enabled",
                "--pop-claims",
                "u=/subscriptions/<subscription>/resourceGroups/{resource_group}/providers/Microsoft.Kubernetes/connectedClusters/{cluster}",
            ),
            risk=Risk.SAFE,
            verify="kubectl get nodes answers",
        ),
        Step(
            "Bring kubelogin up to date.",
            run=(
                "az",
                "aks",
                "install-cli",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/azure-rbac",),
    leads_to=("kubernetes.kubeconfig_rejected",),
)
