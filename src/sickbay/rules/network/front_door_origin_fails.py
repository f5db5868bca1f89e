from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Front Door gets no usable answer from its origin (the ingress or load balancer behind it)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i:\bErrorInfo(?:_s)?)[\"']?(?: is|:|=| |,) ?[\"']?(?P<reason>OriginTimeout|OriginConnection(?:Aborted|Error|Refused)|OriginError|OriginInvalid(?:Response|Request)|DNSFailure|DNSTimeout|DNSNameNotResolved)\b",
            says="Front Door says {reason} of its origin",
            sample='"httpStatusCode": "504", "errorInfo": "OriginTimeout", "originName": "shop.contoso.com:443"',
            near_miss='"httpStatusCode": "200", "errorInfo": "NoError", "originName": "shop.contoso.com:443"',
        ),
        Signature(
            pattern=r"Our services aren\W{1,3}t available right now",
            says="Front Door shows its own error page",
            sample="Our services aren't available right now We're working to restore all services as soon as possible. Please check back soon.",
            near_miss="Our services are available again, everything is restored.",
            weight=TYPICAL,
        ),
    ),
    why="Front Door forwards each request to an origin: it resolves its name, connects, and waits for the answer (30 seconds unless set otherwise). When a firewall or network security group keeps the service tag AzureFrontDoor.Backend out, the origin is too slow, its certificate does not carry the name of the origin, or no route covers the host, visitors see 502, 503 or 504 though the cluster itself may answer well.",
    remedy=(
        Step(
            "Read the reason of each failed request in the access log: ErrorInfo, OriginName, TimeToFirstByte."
        ),
        Step(
            "Call the origin without Front Door, by the host name that Front Door sends.",
            run=("curl", "-sv", "--resolve", "<host>:443:<origin-ip>", "https://<host>/"),
            risk=Risk.READ,
        ),
        Step(
            "See host name, host header and certificate check of the origin.",
            run=(
                "az",
                "afd",
                "origin",
                "list",
                "-g",
                "<group>",
                "--profile-name",
                "<profile>",
                "--origin-group-name",
                "<origin-group>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Admit the service tag AzureFrontDoor.Backend at the load balancer, and raise the origin response timeout of the profile for slow answers."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/frontdoor/troubleshoot-issues",),
    ask="curl -sv --resolve <host>:443:<origin-ip> https://<host>/",
)
