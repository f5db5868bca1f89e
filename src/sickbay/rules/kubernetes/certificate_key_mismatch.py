from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Certificate and private key do not belong together, or one of them is no PEM (private key does not match)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"private key does not match public key|key values mismatch|X509_check_private_key|private key (?:does not|doesn.t) match (?:the )?certificate|certificate and private key (?:do not|don.t) match|failed to find any PEM data in (?:certificate|key) input|found a certificate rather than a key",
            says="certificate and key do not match",
            sample="error: tls: private key does not match public key",
            near_miss="tls: certificate and private key match",
        ),
    ),
    why="A TLS secret or file pair holds the key of another certificate (only one of the two was replaced at the last renewal, or the chain stands before the own certificate in the file), or one of its parts is empty or no PEM. Servers, ingress controllers and the API server refuse such a pair.",
    remedy=(
        Step(
            "Compare the two: both commands must print the same.",
            run=(
                "openssl",
                "x509",
                "-noout",
                "-pubkey",
                "-in",
                "tls.crt",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the secret anew from a certificate (own certificate first, then the chain) and its own key.",
            run=(
                "kubectl",
                "create",
                "secret",
                "tls",
                "<secret>",
                "-n",
                "{namespace}",
                "--cert=tls.crt",
                "--key=tls.key",
                "--dry-run=server",
                "-o",
                "yaml",
            ),
            risk=Risk.SAFE,
            verify="the server shows the new certificate",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/configuration/secret/#tls-secrets",),
    leads_to=(
        "kubernetes.program_fails",
        "network.listener_certificate_missing",
    ),
    ask="kubectl get secrets -n {namespace}",
)
