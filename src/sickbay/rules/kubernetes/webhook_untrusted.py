from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server does not trust the certificate of an admission webhook (x509)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"failed calling webhook \"(?P<webhook>[\w./-]+)\": .{0,400}?(?:x509: |tls: |certificate )",
            says="the certificate of webhook {webhook} is not accepted",
            sample='Internal error occurred: failed calling webhook "vmanagedclusters.kb.io": failed to call webhook: Post "https://aso-webhook.aso.svc:443/validate?timeout=10s": x509: certificate signed by unknown authority',
            near_miss='admission webhook "vmanagedclusters.kb.io" denied the request: spec.location is immutable',
        ),
    ),
    why="The API server checks the certificate of a webhook against the caBundle in its configuration; after a certificate was renewed or a chart installed twice they do not belong together, or the certificate (x509) has expired.",
    remedy=(
        Step(
            "See the authority that the configuration trusts, and the certificate in use.",
            run=(
                "kubectl",
                "get",
                "validatingwebhookconfigurations,mutatingwebhookconfigurations",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Renew the certificate (cert-manager: delete its secret) and restart the webhook.",
            run=("kubectl", "rollout", "restart", "deployment/<webhook>", "-n", "<namespace>"),
            risk=Risk.DISRUPTIVE,
            verify="the refused request is accepted",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/",
    ),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
    ),
    ask="kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml",
)
