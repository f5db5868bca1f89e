from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The web application firewall of Azure Front Door blocks the request (403 Forbidden)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bFront[Dd]oorWebApplicationFirewallLog\b.{0,800}?(?i:\"action(?:_s)?\"): ?\"Block(?:ed)?\"|(?i:\"action(?:_s)?\"): ?\"Block(?:ed)?\".{0,800}?\bFront[Dd]oorWebApplicationFirewallLog\b|\"ruleName(?:_s)?\": ?\"(?P<rule>Microsoft_(?:DefaultRuleSet|BotManagerRuleSet)-[\w.-]+)\".{0,600}?\"action(?:_s)?\": ?\"Block\"",
            says="a rule[ ({rule})] blocks the request",
            sample='"category":"FrontDoorWebApplicationFirewallLog","properties":{"ruleName":"Microsoft_DefaultRuleSet-2.1-SQLI-942440","action":"Block"}',
            near_miss='"category":"FrontDoorWebApplicationFirewallLog","properties":{"ruleName":"Microsoft_DefaultRuleSet-2.1-SQLI-942440","action":"Log"}',
            weight=TYPICAL,
            common=True,
        ),
    ),
    why="The request matches a managed, bot or custom rule of the WAF policy of the profile, which is in prevention mode: Front Door answers 403 itself, and nothing of it reaches the cluster.",
    remedy=(
        Step(
            "See the policy: its mode, its rules and exclusions.",
            run=(
                "az",
                "network",
                "front-door",
                "waf-policy",
                "show",
                "-g",
                "<group>",
                "-n",
                "<policy>",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If the request is wanted, exclude the field that matched, or set this rule to Log; leave the policy in prevention mode.",
            verify="the same request is answered",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/web-application-firewall/afds/waf-front-door-tuning",),
    ask="az network front-door waf-policy show -g <group> -n <policy> -o json",
)
