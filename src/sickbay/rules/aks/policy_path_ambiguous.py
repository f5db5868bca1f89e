from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An Azure Policy cannot be evaluated: the resource has a tag twice, in two spellings (ambiguous paths)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"\bAmbiguousPolicyEvaluationPaths\b|has one or more ambiguous paths: '?(?P<path>[\w.\[\]-]+)'? required by policies",
            says="a policy finds {path} more than once",
            sample="AmbiguousPolicyEvaluationPaths: The request content has one or more ambiguous paths: 'tags.costcentre' required by policies: 'Inherit a tag from the resource group'.",
            near_miss="The request content has the path 'tags.costcentre' required by policies: 'Inherit a tag from the resource group'.",
        ),
    ),
    why="Azure Policy compares names without case. A resource or request that has the same tag in two spellings (Owner and owner) gives the policy two values for one path, and every write to it is refused: by users, and by AKS itself when it writes routes, load balancers or scale sets.",
    remedy=(
        Step(
            "See the tags of the resource and of the node resource group.",
            run=("az", "group", "show", "-n", "{node_resource_group}", "--query", "tags"),
            risk=Risk.READ,
        ),
        Step(
            "Leave each tag in one spelling only, on the resource and on what policies copy it from; or take the node resource group out of the policy's scope.",
            risk=Risk.SAFE,
            verify="the operation is accepted when it is repeated",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
        "https://learn.microsoft.com/azure/governance/policy/troubleshoot/general",
    ),
    leads_to=(
        "network.pod_route_refused",
        "kubernetes.load_balancer_fails",
        "aks.operation_failed",
    ),
    ask="az group show -n {node_resource_group} -o json",
)
