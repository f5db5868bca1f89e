from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Application Gateway does not trust the certificate of its backends (name, chain or date)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:Common Name(?: \(CN\))?|\bCN\b) of the (?:leaf certificate presented by the )?backend (?:server|certificate) does(?: not|n\'t) match|Backend server certificate (?:Common Name|\(?CN\b).{0,20}? does(?: not|n\'t) match|(?:leaf|server|intermediate|root) certificate (?:is (?:missing from|not topmost in)|was not found in) the (?:certificate )?chain presented by the backend|Only one certificate (?:is|was) (?:found|present) in the chain presented by the backend|backend (?:server )?certificate (?:has expired|is (?:invalid|not (?:whitelisted|trusted|signed)))|(?:intermediate|leaf|root) certificate (?:is |was )?(?:missing|not found|mismatch)\w* (?:from|in) the backend|server certificate used by the backend is not signed by a well-known|trusted root certificate (?:mismatch|does not match)|root certificate of the server certificate used by the backend does(?:n\'t| not) match",
            says="the certificate of a backend is refused",
            sample="The Common Name (CN) of the backend certificate does not match the host header",
            near_miss="Success. Received 200 status code",
        ),
    ),
    why="With HTTPS to the backend the gateway checks the certificate of the pod: its name against the host header, its chain against the trusted root of the backend setting, its date.",
    remedy=(
        Step(
            "See what the gateway says of each backend.",
            run=(
                "az",
                "network",
                "application-gateway",
                "show-backend-health",
                "-g",
                "<group>",
                "-n",
                "<gateway>",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Upload the root certificate and name it by appgw-trusted-root-certificate, serve the whole chain from the pod, and set backend-hostname to a name of the certificate."
        ),
    ),
    leads_to=("kubernetes.certificate_expired",),
    docs=(
        "https://learn.microsoft.com/azure/application-gateway/application-gateway-backend-health-troubleshooting",
    ),
    ask="az network application-gateway show-backend-health -g <group> -n <gateway> -o json",
)
