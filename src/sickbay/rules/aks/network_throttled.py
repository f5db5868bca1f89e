from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Microsoft.Network throttles the subscription: too many load balancer calls or too much data read",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.SCALING,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)RetryableErrorDueToo?(?:TooManyCalls|HighReadDataSize|ManyCalls)|exceeds Microsoft\.Network throttling limit|(?:TooManyRequests|Throttled)\b.{0,200}?Microsoft\.Network/|Microsoft\.Network/\w+.{0,200}?\bTooManyRequests\b|throttled for operation (?:LB|NSG|PublicIP|Interface|Subnet|RouteTable|PrivateLink)\w*",
            says="Microsoft.Network throttles the subscription",
            sample='Code="TooManyRequests" Message="Subscription \'s\' retrieved a very large amount of data within last 5 minutes. The size of the data exceeds Microsoft.Network throttling limit. The call can be retried in 61 seconds." innerErrorCode="RetryableErrorDueTooHighReadDataSize"',
            near_miss="Microsoft.Network/loadBalancers was read: 12 requests of 3000",
            unless=r"SubscriptionRequestsThrottled",
            passes=True,
        ),
    ),
    why="Microsoft.Network limits calls and the amount of data that a subscription reads in five minutes (`RetryableErrorDueToTooManyCalls`, `RetryableErrorDueTooHighReadDataSize`). In a large cluster every change of a service writes the whole load balancer with one entry for each node's interface; a backend pool by IP address avoids that.",
    remedy=(
        Step("Wait as long as the message says, then repeat the operation."),
        Step(
            "Let the load balancer hold node addresses instead of interfaces.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--load-balancer-backend-pool-type",
                "nodeIP",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az network lb show -g {node_resource_group} -n kubernetes wants backend addresses",
        ),
        Step(
            "Run fewer network changes at once, or spread clusters over subscriptions and regions."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/toomanyrequestsreceived-error",
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
    ),
    leads_to=(
        "aks.request_throttled",
        "aks.operation_failed",
        "kubernetes.load_balancer_fails",
    ),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
    spreads=True,
)
