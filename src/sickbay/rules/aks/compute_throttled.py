from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Compute throttles the scale-set calls of the subscription (TooManyRequestsReceived)",
    severity=Severity.ERROR,
    categories=(
        Category.SCALING,
        Category.NODES,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:HighCost|LowCost)?(?:Get|Put|Delete|Scale|Update)VMScaleSet(?:VM)?\w*(?:30Min|3Min|Maximum|Resource)\b.{0,300}?(?:allowedRequestCount|TooManyRequests|throttl|measuredRequestCount)|(?:TooManyRequests\w*|throttl\w*).{0,400}?\b(?:HighCost|LowCost)\w*VMScaleSet\w*|\bTooManyRequests(?:HighCost|LowCost)\w*VM\w*|throttled for operation VMSS\w*|cloud provider rate limited\((?:read|write)\) for operation \W?\w*(?:VM|Disk)\w*|TooManyRequestsReceived.{0,300}?Microsoft\.Compute|too many requests have been received for this subscription|Microsoft\.Compute.{0,200}?\bTooManyRequests\b",
            says="Compute throttles the subscription",
            sample='OperationNotAllowed: The server rejected the request because too many requests have been received for this subscription. {"operationGroup":"HighCostGetVMScaleSet30Min","allowedRequestCount":1800,"measuredRequestCount":2208}',
            near_miss="x-ms-ratelimit-remaining-resource: Microsoft.Compute/HighCostGetVMScaleSet30Min;1790",
            passes=True,
        ),
    ),
    why="All clusters, autoscalers and tools of a subscription share one allowance of Compute calls in a region (`HighCostGetVMScaleSet30Min` and its kin). Many autoscaled pools that scan every ten seconds, disk attaches in bulk or a third-party poller exceed it, and Compute answers 429 `TooManyRequests` for a while.",
    remedy=(
        Step(
            "Let the autoscaler look less often.",
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
        Step(
            "Find other tools that read scale sets, and make them slower.",
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
        Step("With many clusters in one subscription and region, move some of them to another."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/429-too-many-requests-errors",
    ),
    leads_to=(
        "aks.request_throttled",
        "aks.operation_failed",
        "aks.scale_up_failed",
    ),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
    spreads=True,
)
