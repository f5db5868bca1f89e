from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The node pools are at the maximum size of the cluster autoscaler",
    severity=Severity.ERROR,
    categories=(Category.SCALING, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)(?:\d+ )?max node group size reached|node group .{0,60}? has reached (?:its )?max(?:imum)? size|max(?:imum)? cluster (?:size|cores|memory) limit reached",
            says="the node groups have reached their maximum size",
            sample="Normal NotTriggerScaleUp 2m cluster-autoscaler pod didn't trigger scale-up: 1 max node group size reached",
            near_miss="pod triggered scale-up: [{aks-np1-31-vmss 2->3 (max: 5)}]",
        ),
    ),
    why="A pod needs another node, but every pool that could hold it already has as many nodes as the autoscaler may make (max-count).",
    remedy=(
        Step(
            "See the limits.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--query",
                "[].{name:name,count:count,min:minCount,max:maxCount}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Raise the maximum, within quota and addresses.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--update-cluster-autoscaler",
                "--min-count",
                "<min>",
                "--max-count",
                "<max>",
            ),
            risk=Risk.SAFE,
            verify="kubectl get pods -A --field-selector status.phase=Pending wants none of them",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/cluster-autoscaler",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-pods-remain-pending-state-scenario",
    ),
    leads_to=("kubernetes.pod_pending",),
    ask="az aks nodepool list -g {resource_group} --cluster-name {cluster} -o json",
)
