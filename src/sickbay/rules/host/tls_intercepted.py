from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="This machine does not trust the certificate that arrives: TLS is intercepted by a proxy",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bCERTIFICATE_VERIFY_FAILED\b|(?i:Certificate verification failed\. This typically happens when using Azure CLI behind a proxy)",
            says="the certificate is not trusted",
            sample="Certificate verification failed. This typically happens when using Azure CLI behind a proxy that intercepts traffic with a self-signed certificate. [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1007)",
            near_miss="Certificate verification succeeded",
            weight=TYPICAL,
        ),
    ),
    why="A proxy or firewall signs TLS connections with its own certificate. The Azure CLI brings its own list of authorities and refuses it (CERTIFICATE_VERIFY_FAILED, self signed certificate in certificate chain) until REQUESTS_CA_BUNDLE names a bundle that contains the proxy's.",
    remedy=(
        Step(
            "See who signed it.",
            run=(
                "openssl",
                "s_client",
                "-connect",
                "management.azure.com:443",
                "-showcerts",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the proxy's certificate to a bundle and name it in REQUESTS_CA_BUNDLE, or exempt Azure's hosts from inspection.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting#work-behind-a-proxy",
    ),
    ask="openssl s_client -connect management.azure.com:443 -showcerts",
)
