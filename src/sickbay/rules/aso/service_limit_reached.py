from sickbay.model.aso_codes import OTHERS, answer_says, said
from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

_WORDS = r"(?i:cannot (?:create|have|add|contain) more than \d|maximum (?:of |number of |allowed |supported |count ){1,2}.{0,40}?\d|(?:would|will) (?:have )?(?:exceed|increase).{0,60}? limit|reached (?:the|its) (?:\w+ )?(?:maximum|limit)|limit (?:of|for) .{0,80}?(?:reached|exceeded))"

RULE = Rule(
    title="A limit of the service itself is reached: the account, identity or server already holds the maximum",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"Free tier has already been applied to another|Too many Federated Identity Credentials present|total throughput limit of (?P<limit>\d+)|\b(?:RoleDefinitionLimitExceeded|MaxNumberOfServersInSubscription\w*|TooManyFirewallRules|MaxDatabaseCountReached|TooManyPrivateEndpoint\w*|PrivateEndpointLimit\w*|ElasticPool(?:Over|Reached)\w+|ServerDtuQuota\w*|TooManyNetworkRules)\b",
            says="a limit of the service is reached",
            sample="BadRequest: Too many Federated Identity Credentials present on the Identity. Maximum allowed is 20.",
            near_miss="The identity has 3 Federated Identity Credentials.",
            unless=r"(?i)data disks|attached to|volumes?\b|kubelet",
        ),
        Signature(
            pattern=said(_WORDS),
            says="a limit of the service is reached",
            sample="sqldb1 False Warning BadRequest The elastic pool has reached the maximum of 100 databases allowed.",
            near_miss="sqldb1 True Succeeded The elastic pool holds 10 of 100 databases.",
            weight=TYPICAL,
            unless=r"(?i)quota|cores|vcpu|throttl|retry after|too many requests|characters|length|backend storage limit|requests for subscription|StorageAccounts?Count|storage accounts|public IP|data disks|attached to|kubernetes\.io",
        ),
        Signature(
            pattern=answer_says(_WORDS),
            says="a limit of the service is reached",
            sample="performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: BadRequest: The pool has reached the maximum of 100 teapots.",
            near_miss="performing CreateOrUpdate: the teapot was made.",
            weight=TYPICAL,
            unless=OTHERS
            + r"|(?i:quota|cores|vcpu|throttl|retry after|too many requests|characters|length|backend storage limit|requests for subscription|StorageAccounts?Count|storage accounts|public IP|data disks|attached to|kubernetes\.io|kubernetes|node)",
            vague=True,
            passes=True,
        ),
    ),
    why="Beside the quotas of the subscription, services have fixed limits of their own: 20 federated credentials on one managed identity, 4000 role assignments in a subscription, firewall rules of a server, databases of a pool, queues of a namespace, the total throughput (RU/s) that a Cosmos DB account was limited to, one Cosmos DB account with the free tier in a subscription. The request would exceed the maximum, and a quota request does not always help.",
    remedy=(
        Step(
            "Read the condition of the object: the message names the property.",
            run=("kubectl", "get", "azure", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Remove what is not needed, spread over a second identity, account, namespace or server, or raise the limit that the account itself sets (Cosmos DB: capacity.totalThroughputLimit).",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/reconciliation-failures/",
    ),
    leads_to=(
        "aks.parameter_invalid",
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
        "aso.quota_exceeded",
        "aks.request_refused",
        "aks.deployment_failed",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
