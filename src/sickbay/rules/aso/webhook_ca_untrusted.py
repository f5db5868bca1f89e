from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server does not trust the certificate of the ASO webhook: the CA in the CRDs is old or missing",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:conversion webhook for [\w.:&{\[ -]{0,60}?azure\.(?:microsoft\.)?com/|azure(?:service)?operator-webhook-service).{0,600}?x509: certificate (?:signed by unknown authority|has expired)|\bazure(?:service)?operator-webhook-service.{0,400}?\bx509: certificate is (?:valid for|not valid)",
            says="the certificate of the webhook is not accepted",
            sample='conversion webhook for storage.azure.com/v1api20230101storage, Kind=StorageAccount failed: Post "https://azureserviceoperator-webhook-service.azureserviceoperator-system.svc:443/convert?timeout=30s": x509: certificate signed by unknown authority',
            near_miss='called "https://azureserviceoperator-webhook-service.azureserviceoperator-system.svc:443/convert?timeout=30s"',
        ),
    ),
    why="Every CRD and webhook configuration of ASO carries the CA with which the API server checks the webhook (caBundle); the cainjector of cert-manager writes it from the certificate in the operator's namespace. It is wrong when cert-manager does not run, when ASO was installed into another namespace than the annotation inject-ca-from names, when the certificate was made anew, or when another operator's pod answers behind the service.",
    remedy=(
        Step(
            "See the certificate, and from where a CRD takes its CA.",
            run=(
                "kubectl",
                "get",
                "certificate,secret",
                "-n",
                "azureserviceoperator-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See which pods answer: only those of ASO may be listed.",
            run=(
                "kubectl",
                "get",
                "endpoints",
                "azureserviceoperator-webhook-service",
                "-n",
                "azureserviceoperator-system",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let cert-manager write the CA anew.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment/cert-manager-cainjector",
                "-n",
                "cert-manager",
            ),
            risk=Risk.SAFE,
            verify="kubectl get crd storageaccounts.storage.azure.com -o yaml shows a caBundle that fits the secret webhook-server-cert",
        ),
        Step(
            "Two operators in one namespace: give each its own, since their services select the same labels.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/#installation",
        "https://cert-manager.io/docs/concepts/ca-injector/",
    ),
    leads_to=("aso.webhook_down", "aso.not_ready", "network.server_untrusted"),
    ask="kubectl get endpoints azureserviceoperator-webhook-service -n azureserviceoperator-system -o yaml",
)
