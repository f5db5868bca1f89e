from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The certificate of an operator's webhook (ASO) was never issued: cert-manager is missing or does not work",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?:azureserviceoperator|capz|aso)[\w-]*.{0,600}?secret \W{0,2}webhook-server-cert\W{0,2} not found|secret \W{0,2}(?:[\w-]+/)?webhook-server-cert\W{0,2} not found.{0,600}?azureserviceoperator|azureserviceoperator-serving-cert.{0,300}?(?:not ready|False|not found|Issuing|does not exist)|resource mapping not found for name: \W{0,2}azureserviceoperator-(?:serving-cert|selfsigned-issuer)",
            says="the secret webhook-server-cert of the ASO webhook does not exist",
            sample='Warning FailedMount pod/azureserviceoperator-controller-manager-7f8d-x MountVolume.SetUp failed for volume "cert" : secret "webhook-server-cert" not found',
            near_miss="azureserviceoperator-controller-manager-7f8d-x mounted the secret webhook-server-cert",
        ),
        Signature(
            pattern=r"secret \W{0,2}webhook-server-cert\W{0,2} not found|open /tmp/k8s-webhook-server/serving-certs/tls\.crt: no such file",
            says="the secret webhook-server-cert does not exist",
            sample='MountVolume.SetUp failed for volume "cert" : secret "webhook-server-cert" not found',
            near_miss="mounted the secret webhook-server-cert",
            weight=TYPICAL,
        ),
    ),
    why="The webhook of ASO (and of other operators made with Kubebuilder) serves with the secret webhook-server-cert, which cert-manager writes from the Certificate azureserviceoperator-serving-cert. Without cert-manager, or while its own pods or webhook do not work, the secret is never issued, and the controller pod stays in ContainerCreating.",
    remedy=(
        Step(
            "See certificate, issuer and the pods of cert-manager.",
            run=(
                "kubectl",
                "get",
                "certificate,issuer,certificaterequest",
                "-n",
                "azureserviceoperator-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install cert-manager (its CRDs too) before ASO, and see that its three pods are Running.",
            run=("kubectl", "get", "pods", "-n", "cert-manager"),
            risk=Risk.READ,
            verify="kubectl get secret webhook-server-cert -n azureserviceoperator-system finds it; the ASO pod becomes Ready",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/#installation",
        "https://cert-manager.io/docs/troubleshooting/",
    ),
    leads_to=(
        "kubernetes.config_missing",
        "kubernetes.kind_not_served",
        "aso.webhook_down",
        "aso.not_ready",
    ),
    ask="kubectl get certificate,issuer,certificaterequest -n azureserviceoperator-system",
)
