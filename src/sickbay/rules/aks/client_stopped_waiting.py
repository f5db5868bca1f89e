from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The client or Resource Manager stopped waiting (timeout); the operation may still be running",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\b(?:ResourceDeploymentFailure|RequestTimeout): (?i:the resource \w+ operation did not complete within the allowed timeout period)|polling after CreateOrUpdate: .{0,20}?result\.Status.{0,6}? was nil/empty|Future#WaitForCompletion: context (?:has been cancell?ed|deadline exceeded)|(?i:polling (?:after \w+|for the (?:status|completion)).{0,300}?(?:context deadline exceeded|internal-error: .{0,80}?poller was found))|(?i:waiting for (?:the )?(?:creation|update|upgrade|deletion|completion) of (?:the )?(?:Kubernetes Cluster )?(?:Agent Pool|Node Pool|(?:the )?Kubernetes Cluster|Managed (?:Kubernetes )?Cluster).{0,400}?(?:context deadline exceeded|timeout while waiting for state))",
            says="the client gave up waiting for an operation of Azure",
            sample='Error: waiting for update of Agent Pool (Agent Pool Name: "np1"): Future#WaitForCompletion: context has been cancelled: StatusCode=200 -- Original Error: context deadline exceeded',
            near_miss="Future#WaitForCompletion: the operation completed",
            weight=SYMPTOM,
        ),
    ),
    why="Terraform, the SDKs and the deployments of Resource Manager (`RequestTimeout`) wait for a fixed time, an hour or an hour and a half for most operations. A drain that cannot go on, a node that does not come up or a deletion that is held back outlasts that: the client reports a deadline, while Azure goes on trying and only its own record says why.",
    remedy=(
        Step(
            "See whether the operation still runs, and how it ended.",
            run=("az", "aks", "show", "-g", "{resource_group}", "-n", "{cluster}", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "Read the operations of the last day; the innermost error of the one that did not end is the cause.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{resource_group}",
                "--offset",
                "1d",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start it again only when the first is over; with Terraform, import what Azure has made meanwhile and raise `timeouts` for this resource.",
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    ask="az aks operation show-latest -g {resource_group} -n {cluster} -o json",
)
