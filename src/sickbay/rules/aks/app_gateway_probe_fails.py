from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Application Gateway finds its backends unhealthy: they answer its probe with a wrong status",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Received invalid status code: (?P<status>\d+) in the backend server\'s HTTP response|backend server\'s HTTP response did not match the probe|Body of the backend\'s HTTP response did not match|Time taken by the backend to respond to application gateway\'s health probe is more than",
            says="the probe of the gateway is answered wrongly",
            sample="Received invalid status code: 404 in the backend server's HTTP response. As per the health probe configuration, 200-399 is the acceptable status code.",
            near_miss="Success. Received 200 status code",
        ),
    ),
    why="The gateway probes a path of each pod (the readiness probe, or /). The pod answers, but with another status or body than expected, so the gateway serves 502 for it.",
    remedy=(
        Step(
            "See which pool is unhealthy and why.",
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
            "Give the pod a readiness probe of a path that answers 200, or set the annotations health-probe-path and health-probe-status-codes.",
            verify="the backends are Healthy",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/application-gateway/application-gateway-backend-health-troubleshooting",
    ),
    ask="az network application-gateway show-backend-health -g <group> -n <gateway> -o json",
)
