from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Application Gateway refuses the configuration that the ingress controller (AGIC) sends",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\b(?P<code>ApplicationGateway(?:RequestRoutingRule|Waf|Http|Backend|Ssl|Probe|Rewrite|Listener|Frontend|UrlPathMap|PathRule|Trusted|Redirect|Firewall|KeyVault|Subnet|Sku|CustomError)\w+)\b|\bError(?:NoDefaults|EitherDefaults|NoBackendorRedirect|EitherBackendorRedirect|MultipleServiceBackendPortBinding|GeneratingListeners|GeneratingProbes|GeneratingBackendSettings|CreatingBackendPools|GeneratingRoutingRules|DeployingAppGatewayConfig)\b|(?:unable to generate (?:health probes|backend http settings|backend address pools|frontend listeners|request routing rules))\b|\bFailedApplyingAppGwConfig\b|[Tt]wo Http Listeners of Application Gateway\b|\bcannot use the same frontend port as an existing listener\b|DuplicateResourceName.{0,400}?applicationGateways/.{0,120}?has two child resources with the same name|Failed applying App Gwy configuration|ApplicationGatewaysClient#CreateOrUpdate: .{0,200}?InvalidResourceReference",
            says="Azure refused the new configuration of the Application Gateway",
            sample='E0504 10:45:40.427098 1 controller.go:141] network.ApplicationGatewaysClient#CreateOrUpdate: Failure sending request: StatusCode=0 -- Original Error: Code="ApplicationGatewayRequestRoutingRulePartialPriorityDefined" Message="Either all or no rule should have the priority specified." Details=[]',
            near_miss="ApplicationGatewaysClient#CreateOrUpdate: the configuration was applied",
            unless=r"ApplicationGateway(?:Firewall|Access|Performance)Log",
            weight=TYPICAL,
        ),
    ),
    why="AGIC builds one configuration from all ingresses and sends it as a whole. One listener, rule, probe, certificate or WAF setting that the gateway does not accept makes Azure refuse all of it, so that changes of every other ingress stay out, too, and pods that moved are no longer reached (502).",
    remedy=(
        Step(
            "Read the code and the name in the error: it is the object that is refused.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "app=ingress-appgw",
                "--tail=200",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend the ingress it comes from, or what was changed on the gateway by hand (rules without a priority, a WAF policy beside a WAF configuration, a certificate that is gone)."
        ),
        Step(
            "A release of AGIC that is older than the rule it breaks must be upgraded; in a shared gateway see that no AzureIngressProhibitedTarget covers everything."
        ),
    ),
    leads_to=("aks.invalid_resource_reference",),
    docs=("https://learn.microsoft.com/azure/application-gateway/ingress-controller-troubleshoot",),
    ask="kubectl logs -n kube-system -l app=ingress-appgw --tail=200",
)
