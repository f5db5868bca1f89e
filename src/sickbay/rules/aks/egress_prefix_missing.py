from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The static egress gateway is not ready (no address prefix, gateway pool or agent), so its pods cannot start",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)StaticGatewayConfiguration.{0,300}?(?:egressIpPrefix.{0,40}?(?:empty|not (?:ready|assigned|found))|not ready|invalid gateway node ?pool|failed to reconcile)|gateway (?:node ?pool|nodepool) .{0,80}?not found.{0,120}?(?:static|egress) ?gateway",
            says="a static egress gateway is not set up",
            sample="Warning  FailedCreatePodSandBox  kubelet  plugin kube-egress-cni failed: StaticGatewayConfiguration aks-istio-egress/sgc is not ready: egressIpPrefix is empty",
            near_miss="StaticGatewayConfiguration aks-istio-egress/sgc reconciled, egressIpPrefix 20.1.2.0/30",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"the gateway is not ready yet\.|gateway VMSS not found|found 0 .{0,40}?gateway VMSS|failed to find corresponding LB (?:frontend IPConfig|backend address pool)|(?:kube-egress-cni|gatewaylbconfiguration|gatewayvmconfiguration|staticgatewayconfiguration|kube-egress-gateway[\w-]*)\b.{0,300}?(?:failed (?:\(add\)|to )|Reconciler error)",
            says="the static egress gateway does not serve the pod",
            sample='plugin type="kube-egress-cni" failed (add): failed to send nicAdd request: rpc error: code = FailedPrecondition desc = the gateway is not ready yet.',
            near_miss="the gateway is ready",
            weight=TYPICAL,
            unless=r"failed to retrieve StaticGatewayConfiguration:? \S{1,200}: .{0,200}?not found",
        ),
    ),
    why="Pods of an egress gateway start when their StaticGatewayConfiguration has an egressIpPrefix; the gateway pool that it names is not of mode Gateway, has too few addresses left, or the prefix is still being made (about five minutes).",
    remedy=(
        Step(
            "See the configuration and its events.",
            run=(
                "kubectl",
                "describe",
                "staticgatewayconfiguration",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Name a pool of mode Gateway, then restart the gateway.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--mode",
                "Gateway",
                "--node-count",
                "2",
                "--gateway-prefix-size",
                "30",
            ),
            verify="kubectl get staticgatewayconfiguration -A -o jsonpath={.items[*].status.egressIpPrefix} wants a prefix",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-egress-gateway",
    ),
    leads_to=(
        "kubernetes.container_creating_stuck",
        "network.cni_setup_fails",
        "network.connection_refused",
    ),
    ask="kubectl get staticgatewayconfiguration -A -o json",
)
