from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Cosmos DB takes no new accounts in the region at the moment (high demand)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)currently experiencing high demand in (?:the )?(?P<location>[\w ]{2,40}?) region|ServiceUnavailable.{0,400}?currently experiencing high demand",
            says="the region[ {location}] has no capacity for Cosmos DB",
            sample="ServiceUnavailable: Database account creation failed. We are currently experiencing high demand in West Europe region, and cannot fulfill your request at this time.",
            near_miss="The West Europe region serves requests normally",
        ),
    ),
    why="The region has no capacity for new Cosmos DB accounts of this subscription and answers ServiceUnavailable with high demand. ASO counts this as fatal and does not try again by itself.",
    remedy=(
        Step(
            "Use another region in spec.location and spec.locations, without zone redundancy where it is not needed, or ask for access to the region by a support request.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/cosmos-db/troubleshoot-service-unavailable",),
    leads_to=("aso.not_ready",),
    ask="kubectl get azure -n {namespace} -o yaml",
)
