from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Application Gateway cannot connect to its backends (NSG, route, firewall or port)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Cannot connect to (?:the )?backend server\. Check whether any NSG/UDR/Firewall|Cannot connect to server\. Check whether any NSG|Application Gateway could not connect to the backend|could not create a probe for this backend",
            says="the gateway cannot connect to a backend",
            sample="Cannot connect to backend server. Check whether any NSG/UDR/Firewall is blocking access to server. Check if application is running on correct port.",
            near_miss="Success. Received 200 status code",
        ),
        Signature(
            pattern=r"502 Bad Gateway.{0,200}?Microsoft-Azure-Application-Gateway|502 - Web server received an invalid response while acting as a gateway or proxy server",
            says="the gateway answers 502: it has no healthy backend, or cannot connect to it",
            # Any server closes its page so: the sample must not end where another's may be cut.
            sample="HTTP/1.1 502 Bad Gateway Server: Microsoft-Azure-Application-Gateway/v2",
            near_miss="<h1>404 Not Found</h1></center><hr><center>Microsoft-Azure-Application-Gateway/v2</center>",
            weight=TYPICAL,
        ),
    ),
    why="The gateway opens connections straight to the pods. A network security group or route between both subnets, a network policy, or a wrong port keeps it out, and it serves 502.",
    remedy=(
        Step(
            "See which backends it cannot reach.",
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
            "Allow the subnet of the gateway to the pods, associate the route table of a kubenet cluster with it, and compare the port with the one of the pods."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/application-gateway/application-gateway-backend-health-troubleshooting",
    ),
    ask="az network application-gateway show-backend-health -g <group> -n <gateway> -o json",
)
