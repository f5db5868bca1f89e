from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The web application firewall of the Application Gateway blocks the request (403 Forbidden)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\"ruleSetType\": ?\"[^\"]{3,60}\".{0,600}?\"action\": ?\"(?:Blocked|Block)\"|Inbound Anomaly Score Exceeded|403 Forbidden.{0,200}?Microsoft-Azure-Application-Gateway|ApplicationGatewayFirewallLog.{0,600}?\"action\": ?\"Blocked\"|\"action\": ?\"Blocked\".{0,600}?\"ruleSetType\"",
            says="the WAF blocks a request",
            sample="<title>403 Forbidden</title> <center>Microsoft-Azure-Application-Gateway/v2</center>",
            near_miss="200 OK Microsoft-Azure-Application-Gateway/v2",
            weight=TYPICAL,
        ),
    ),
    why="A managed or custom rule of the WAF policy in prevention mode matched the request, so the gateway answers 403 itself and the pods never see it.",
    remedy=(
        Step(
            "Find the rule in the firewall log.",
            run=(
                "az",
                "monitor",
                "log-analytics",
                "query",
                "-w",
                "<workspace>",
                "--analytics-query",
                "AGWFirewallLogs",
            ),
            risk=Risk.READ,
        ),
        Step("Exclude the field or disable the rule that hits wrongly, in the WAF policy."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/web-application-firewall/ag/web-application-firewall-troubleshoot",
    ),
    ask="az monitor log-analytics query -w <workspace> --analytics-query AGWFirewallLogs",
)
