from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server does not trust the certificate of an admission webhook (x509)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"failed calling (?:admission )?webhook \"(?P<webhook>[\w./-]+)\": .{0,400}?(?:x509: |tls: |certificate )",
            says="the certificate of webhook {webhook} is not accepted",
            sample='Internal error occurred: failed calling webhook "vmanagedclusters.kb.io": failed to call webhook: Post "https://aso-webhook.aso.svc:443/validate?timeout=10s": x509: certificate signed by unknown authority',
            near_miss='admission webhook "vmanagedclusters.kb.io" denied the request: spec.location is immutable',
        ),
        Signature(
            pattern=r"conversion webhook for (?P<webhook>[\w./-]+), Kind=\w+ failed: .{0,400}?(?:x509: |tls: )",
            says="the certificate of the conversion webhook for {webhook} is not accepted",
            unless=r"azure\.com/|azure(?:service)?operator-webhook",
            sample='conversion webhook for cert-manager.io/v1alpha2, Kind=Certificate failed: Post "https://cert-manager-webhook.cert-manager.svc:443/convert?timeout=30s": x509: certificate signed by unknown authority',
            near_miss='conversion webhook for cert-manager.io/v1alpha2, Kind=Certificate failed: Post "https://cert-manager-webhook.cert-manager.svc:443/convert?timeout=30s": connection refused',
        ),
        Signature(
            pattern=r"\bcaBundle: ?\W{0,2}Cg==",
            says="caBundle is still the placeholder of the manifest",
            sample="kubectl get crd clusters.cluster.x-k8s.io -o yaml | grep caBundle caBundle: Cg==",
            near_miss="caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t",
            weight=TYPICAL,
        ),
    ),
    why="The API server checks the certificate of a webhook against the caBundle in its configuration; after a certificate was renewed or a chart installed twice they do not belong together, or the certificate (x509) has expired. A caBundle that is only Cg== (an empty line) is the placeholder that cert-manager has not replaced.",
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
