from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The static egress gateway has no address prefix, so its pods cannot start",
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
    leads_to=("kubernetes.container_creating_stuck",),
    ask="kubectl get staticgatewayconfiguration -A -o json",
)
