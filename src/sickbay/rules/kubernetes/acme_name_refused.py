from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ACME server may not issue a certificate for this name (no public domain, CAA record, policy)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"acme:error:(?:rejectedIdentifier|caa|unsupportedIdentifier)|does not end with a valid public suffix|Cannot issue for \W?(?P<name>[\w.*-]+)|CAA record for (?P<domain>[\w.*-]+) prevents issuance|Domain name contains an invalid character|The ACME server refuses to issue a certificate for this domain",
            says="the ACME server does not issue for this name",
            sample='Failed to create Order: 400 urn:ietf:params:acme:error:rejectedIdentifier: Error creating new order :: Cannot issue for "web.shop.internal": Domain name does not end with a valid public suffix (TLD)',
            near_miss="Created Order resource shop/web-tls-1",
        ),
    ),
    why="A public authority issues only for names below a public suffix, which its policy and the CAA records of the domain allow. Internal names (.local, .internal, .svc), bare hosts and names with forbidden signs are refused for good.",
    remedy=(
        Step(
            "See which names the certificate asks for.",
            run=(
                "kubectl",
                "get",
                "certificates,orders",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use a public name, correct the CAA record, or take an issuer of your own (CA, Vault) for internal names.",
            risk=Risk.SAFE,
            verify="kubectl get certificates -A wants READY True",
        ),
    ),
    docs=("https://cert-manager.io/docs/troubleshooting/acme/",),
    leads_to=("kubernetes.certificate_not_issued",),
    ask="kubectl get orders -A -o yaml",
)
