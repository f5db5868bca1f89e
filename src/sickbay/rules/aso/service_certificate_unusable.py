from sickbay.model.aso_codes import said
from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The certificate for a service or domain is missing, invalid or not readable in Key Vault",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=said(
                r"(?i:certificate (?:\S+ ){0,6}?(?:is|was|are) (?:invalid|not valid|not found|expired|missing|required|revoked)|certificate .{0,60}?(?:could not|cannot|can't|failed to|unable to) be? ?\w+|(?:provided|required) to retrieve the .{0,20}certificate|(?:unable|failed) to (?:retrieve|access|get|download|load|decrypt) .{0,40}?certificate|certificate password|keyvault .{0,60}?certificate)"
            ),
            says="the certificate cannot be used",
            sample="apim1 False Warning InvalidParameters Invalid parameter: EncodedCertificate or keyVaultId should be provided to retrieve the custom SSL certificate.",
            near_miss="apim1 True Succeeded the certificate was read",
            weight=TYPICAL,
            unless=r"(?i)x509|webhook|AADSTS|ClientCertificate|client assertion|certificate cred|cluster certificate|kubelet",
        ),
        Signature(
            pattern=r"\b(?P<code>InvalidCertificate\w*|CertificateNotFound|CertificateExpired|CertificateInvalid\w*|InvalidSslCertificate\w*|KeyVaultCertificate\w+|CertificatePasswordInvalid|InvalidPfx\w*|ApplicationGatewaySslCertificate\w+|ApplicationGatewayKeyVaultSecretException)\b",
            says="the certificate cannot be used ({code})",
            sample="InvalidCertificate: The data of the certificate is not a PFX.",
            near_miss="The certificate is valid.",
            weight=TYPICAL,
            unless=r"(?i)x509|webhook|AADSTS|kubelet|AGIC|ingress",
        ),
    ),
    why="API Management, Front Door, application gateways and web sites take a certificate for their host names as a PFX with password or by reference to Key Vault. The value is absent, expired, of the wrong format or password, does not fit the host name, or the identity of the service may not read the secret in the vault.",
    remedy=(
        Step(
            "Read the condition of the object: the message names the property.",
            run=("kubectl", "get", "azure", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Give the certificate as a whole PFX (base64) with its password, or as the secret id of the vault; give the identity of the service the role Key Vault Secrets User and let the firewall of the vault admit trusted services.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/api-management/configure-custom-domain",
        "https://learn.microsoft.com/azure/application-gateway/key-vault-certs",
    ),
    leads_to=(
        "aks.parameter_invalid",
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
        "aks.app_gateway_config_refused",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
