from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cloud provider does not find the machine of a node, so no load balancer is changed (instance not found)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?:load balancer|LoadBalancer).{0,1000}?: (?:instance not found|not a vmss instance|failed to get node by name|VM has been deleted)|(?:\bEnsureHosts?InPool\b|failed to ensure host in pool).{0,300}?(?:instance not found|not a vmss instance)",
            says="a node of the cluster has no machine in Azure",
            sample="Error syncing load balancer: failed to ensure load balancer: instance not found",
            near_miss="Ensured load balancer",
        ),
    ),
    why="The cloud provider looks every node up among the machines of Azure before it writes a backend pool. One node has no machine: it was deleted outside of AKS, renamed, or the cache of the scale sets is old; then no service of the cluster is served.",
    remedy=(
        Step(
            "Compare the nodes with the instances of the scale sets.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the node object whose machine is gone.",
            run=(
                "kubectl",
                "delete",
                "node",
                "<node>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe service: EnsuredLoadBalancer",
        ),
        Step(
            "If all nodes have machines, reconcile the cluster, which refreshes the caches.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
        ),
    ),
    leads_to=("kubernetes.load_balancer_fails",),
    docs=("https://cloud-provider-azure.sigs.k8s.io/topics/loadbalancer/",),
    ask="kubectl get nodes -o wide",
)
