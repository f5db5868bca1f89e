from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure load balancer of a service cannot be set up",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?:Error (?:syncing|updating|deleting|creating) load balancer|(?:Sync|Update|Creating|Deleting|Delete)LoadBalancerFailed|failed to (?:ensure|delete) load balancer)",
            says="the load balancer of a service could not be made",
            sample="Warning  SyncLoadBalancerFailed  3m  service-controller  Error syncing load balancer: failed to ensure load balancer: Retriable: false, RetryAfter: 0s, HTTPStatusCode: 400",
            near_miss="Normal  EnsuredLoadBalancer  3m  service-controller  Ensured load balancer",
            weight=TYPICAL,
            # Events of one service, in their order.
            ended_by=r"(?m)^\s*Normal\s+EnsuredLoadBalancer\s",
        ),
    ),
    why="The cloud controller could not set up the Azure load balancer of the service: the address asked for does not exist or is used, the identity may not join the subnet or read the public IP, a quota is reached, or an annotation is wrong; the message carries the Azure error.",
    remedy=(
        Step(
            "Read the Azure error.",
            run=("kubectl", "describe", "service", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Mend what it names: give the cluster identity Network Contributor on the subnet or the group of the public IP, or correct loadBalancerIP and annotations.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<identity>",
                "--role",
                "Network Contributor",
                "--scope",
                "<scope>",
            ),
            verify="kubectl get service -n {namespace} shows an EXTERNAL-IP",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/load-balancer-standard",
        "https://learn.microsoft.com/azure/aks/static-ip",
    ),
    leads_to=("kubernetes.load_balancer_pending",),
    ask="kubectl describe service -n {namespace}",
)
