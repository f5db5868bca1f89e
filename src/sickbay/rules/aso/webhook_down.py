from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The webhook service of ASO does not answer",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"Is the ASO webhook service running\?|No HTTP resource was found that matches the request URI .{0,200}?/(?:resourceGroups|\w+)/\?api-version|https://management\.\S+?/\w+/ -{10,} RESPONSE 405",
            says="an object did not pass the ASO webhook: its azureName was never set",
            sample="AzureName was not set on default/sa1. A webhook should default this to .metadata.name if it was omitted. Is the ASO webhook service running?",
            near_miss="AzureName was set on default/sa1 by the webhook",
            passes=True,
        ),
        Signature(
            pattern=r'failed calling webhook "[^"]{0,120}\.azure\.com".{0,400}?azureserviceoperator-webhook-service|conversion webhook for [\w.-]+\.azure\.com/.{0,300}? failed|azureserviceoperator-webhook-service.{0,200}?(?:service \"\S{1,80}\" not found|connection refused|no endpoints available|context deadline exceeded|x509)',
            says="the API server cannot call the ASO webhook",
            sample='Internal error occurred: failed calling webhook "default.v1api20230101.storageaccounts.storage.azure.com": failed to call webhook: Post "https://azureserviceoperator-webhook-service.azureserviceoperator-system.svc:443/mutate": dial tcp 10.0.3.7:443: connect: connection refused',
            near_miss='called webhook "default.v1api20230101.storageaccounts.storage.azure.com"',
            passes=True,
        ),
    ),
    why="ASO fills spec.azureName and converts API versions in webhooks that its controller pod serves. While the pod restarts or its certificate is not valid, requests for ASO objects are refused, or objects stay without the name that the webhook would give them.",
    remedy=(
        Step(
            "See whether the controller pod runs and restarts.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "azureserviceoperator-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the service has endpoints and the certificate is issued.",
            run=(
                "kubectl",
                "get",
                "endpoints,certificates",
                "-n",
                "azureserviceoperator-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Stabilise the pod (fewer CRDs in crdPattern, more memory, a larger API server tier) or repair cert-manager.",
            verify="kubectl get endpoints azureserviceoperator-webhook-service -n azureserviceoperator-system shows an address",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/crd-management/",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=(
        "aso.operation_not_offered",
        "kubernetes.webhook_down",
        "kubernetes.conversion_webhook_down",
        "aso.not_ready",
    ),
    ask="kubectl get pods,endpoints -n azureserviceoperator-system",
)
