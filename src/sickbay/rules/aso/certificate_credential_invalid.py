from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The client certificate in the ASO credential secret cannot be used (AZURE_CLIENT_CERTIFICATE)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"invalid Client Certificate Credential for|unable to get client certificate credential|failed to (?:get|create|parse|read|load) .{0,40}?certificate credential|AZURE_CLIENT_CERTIFICATE\b.{0,80}?(?:invalid|failed|cannot|unable|incorrect)|pkcs12: (?:decryption password incorrect|unknown digest|expected exactly|error reading)|(?:no|found no) certificate(?:s)? (?:in|found in) (?:the )?certificate data|no private key (?:in|found in) (?:the )?certificate|ClientCertificateCredential.{0,200}?(?:failed to (?:parse|load|decode)|tls: failed to find)",
            says="the client certificate cannot be read",
            sample='Reason: Failed, Severity: Warning, RetryClassification: RetrySlow, Cause: failed to get certificate credential from "team/aso-credential": pkcs12: decryption password incorrect',
            near_miss='Using certificate credential from "team/aso-credential"',
            unless=r"(?i)AADSTS",
        ),
    ),
    why="ASO can sign in with a client certificate: AZURE_CLIENT_CERTIFICATE must hold the whole PEM or base64 of a PFX including the private key, and AZURE_CLIENT_CERTIFICATE_PASSWORD its password. The certificate cannot be parsed: the password is incorrect, the key is missing, the value was encoded twice, or the PFX uses an encryption that the Go library does not read.",
    remedy=(
        Step(
            "See which keys the secret has, without their values.",
            run=(
                "kubectl",
                "get",
                "secret",
                "-n",
                "{namespace}",
                "aso-credential",
                "-o",
                "jsonpath={.data}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Store the certificate anew, as PEM with its private key, or as PFX with the right password (openssl pkcs12 -info shows whether it opens), and see that the application in Entra ID has its public part.",
            verify="kubectl get azure -n {namespace} wants READY True within minutes",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/credential-format/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get secret -n {namespace} aso-credential -o yaml",
)
