from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Front Door has no configuration for this host name (domain or route missing)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"We weren\W{1,3}t able to find your Azure Front Door Service configuration",
            says="Front Door does not know the host",
            sample="Oops! We weren't able to find your Azure Front Door Service configuration. If it's a new configuration that you recently created, it might not be ready yet.",
            near_miss="Your Azure Front Door Service configuration was found.",
        ),
    ),
    why="The name leads to Front Door, but no enabled endpoint there has a route for it: the custom domain is not added or not associated with a route, the endpoint or route is disabled or deleted (and the DNS record left behind), or a change of the last minutes has not reached this edge.",
    remedy=(
        Step(
            "See which domains and routes the profile has, and whether they are enabled.",
            run=(
                "az",
                "afd",
                "route",
                "list",
                "-g",
                "<group>",
                "--profile-name",
                "<profile>",
                "--endpoint-name",
                "<endpoint>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the custom domain, validate it, and associate it with the route; wait ten minutes after a change. Remove the DNS record if the profile was deleted: somebody else could claim the name.",
            verify="the host is answered",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/frontdoor/standard-premium/how-to-add-custom-domain",
        "https://learn.microsoft.com/azure/frontdoor/troubleshoot-issues",
    ),
    ask="az afd custom-domain list -g <group> --profile-name <profile> -o table",
)
