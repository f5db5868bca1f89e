from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The static egress gateway that a pod names does not exist in its namespace (StaticGatewayConfiguration)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"failed to retrieve StaticGatewayConfiguration:? (?P<gateway>[\w./-]+): .{0,200}?(?:not found|forbidden|Forbidden)",
            says="the static egress gateway {gateway} was not found",
            sample='plugin type="kube-egress-cni" failed (add): failed to send nicAdd request: rpc error: code = Unknown desc = failed to retrieve StaticGatewayConfiguration shop/gw-1: StaticGatewayConfiguration.egressgateway.kubernetes.azure.com "gw-1" not found',
            near_miss="StaticGatewayConfiguration shop/gw-1 reconciled",
        ),
    ),
    why="A pod that is annotated with `kubernetes.azure.com/static-gateway-configuration` is joined to the static egress gateway by the plugin kube-egress-cni, which looks for a StaticGatewayConfiguration of that name in the namespace of the pod. With a misspelt name, or a configuration in another namespace, the sandbox of the pod is never made.",
    remedy=(
        Step(
            "See which configurations there are, and in which namespaces.",
            run=("kubectl", "get", "staticgatewayconfigurations", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Make one of that name in the namespace of the pod, or correct the annotation `kubernetes.azure.com/static-gateway-configuration` of its template, then let the pod be made anew.",
            verify="the pod is Running",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/configure-static-egress-gateway",),
    leads_to=("kubernetes.container_creating_stuck", "network.cni_setup_fails"),
    ask="kubectl get staticgatewayconfigurations -A -o json",
)
