from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure throttles the requests of the subscription (429 Too Many Requests)",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.UPGRADE, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)^TooManyRequests: |\bSubscriptionRequestsThrottled\b|\bTooManyRequestsReceived\b|\bTooManyRequests\b.{0,100}?(?:Microsoft\.|subscription|throttl)|Dependency: Microsoft\..*?\bTooManyRequests\b|Number of (?:read |write |delete )?requests for subscription .*? exceeded|RetryableErrorDueToo?(?:TooManyCalls|HighReadDataSize|ManyCalls)|exceeds Microsoft\.\w+ throttling limit|\bOperationGroup\w* .{0,60}?allowedRequestCount|server encountered an internal error.{0,40}?throttled|ThrottledRequest",
            says="requests of the subscription are throttled",
            sample="Category: ClientError; SubCode: SubscriptionRequestsThrottled; Status=429 Code=\"SubscriptionRequestsThrottled\" Message=\"Number of requests for subscription 's' and operation 'GET/SUBSCRIPTIONS/RESOURCEGROUPS/PROVIDERS/MICROSOFT.NETWORK/PUBLICIPADDRESSES' exceeded the backend storage limit. Please try again after '6' seconds.\"",
            near_miss="Waited for 1.2s due to client-side throttling, not priority and fairness",
            unless=r"aka\.ms/acr|\bTOOMANYREQUESTS\b|docker\.(?:io|com)|(?i:pull)",
            passes=True,
        ),
    ),
    why="ARM, the AKS provider, Compute and Network each allow a subscription so many requests in a time (429). Scanners, pipelines that poll, many autoscaled clusters or a big load balancer use them up, and operations of the cluster fail in between.",
    remedy=(
        Step("Wait as long as the message says, then repeat the operation."),
        Step(
            "Find who asks so often.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--offset",
                "1h",
                "--query",
                "[].caller",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make pollers and scanners slower, raise the autoscaler's scan interval, run operations one after the other, or spread clusters over subscriptions.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--cluster-autoscaler-profile",
                "scan-interval=60s",
            ),
            risk=Risk.SAFE,
            verify="no 429 in the activity log of the next hour",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/toomanyrequestsreceived-error",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/throttled-error",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling",
    ),
    leads_to=("kubernetes.load_balancer_fails", "aks.operation_failed", "aks.scale_up_failed"),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
    spreads=True,
)
