from sickbay.rulekit import TYPICAL, Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The user is in more Entra groups than a token carries (overage claim), so cluster connect refuses them",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)overage claim",
            unless=r"(?i)obo\.arc\.azure\.com",
            says="the token has an overage claim instead of groups",
            sample="Error from server: the token has an overage claim (users with more than 200 group memberships are not supported)",
            near_miss="The token has a groups claim",
            weight=TYPICAL,
        ),
    ),
    why="With more than 200 groups the token has an overage claim instead of the list, and cluster connect looks the groups up at https://<region>.obo.arc.azure.com:8084. Where it cannot, or does not support it, the user is refused; an identity with fewer groups gets through.",
    remedy=(
        Step(
            "Allow https://<region>.obo.arc.azure.com:8084 from the cluster, or use an identity with fewer groups.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/cluster-connect",),
    ask="curl -v https://<region>.obo.arc.azure.com:8084",
)
