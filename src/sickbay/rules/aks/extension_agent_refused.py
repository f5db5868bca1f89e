from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The agent of cluster extensions is refused by Azure (401 Unauthorized): its identity has no valid token",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)(?:GET|POST|PUT) \w{3,40} returned response code \{(?P<code>401)\}|getPendingConfigs\S{0,80}.{0,200}?(?:401 Unauthorized|response code \{401\}|status ?code:? 401)",
            says="the configuration service refuses the agent ({code})",
            sample='{"Message":"GET configurations returned response code {401}","LogType":"ConfigAgentTrace","LogLevel":"Error","Role":"ClusterConfigAgent","AgentName":"FluxConfigAgent"}',
            near_miss='{"Message":"GET configurations returned response code {200}","LogType":"ConfigAgentTrace","AgentName":"FluxConfigAgent"}',
            weight=TYPICAL,
            ended_by=r"returned response code \{20[0-4]\}",
        ),
    ),
    why="extension-agent, config-agent and fluxconfig-agent fetch their orders from <region>.dp.kubernetesconfiguration.azure.com with a token of the cluster's or extension's identity. The service does not accept it: the identity was changed or deleted, the token could not be renewed, or the clock of the node is wrong. So extensions and Flux configurations are neither fetched nor reported.",
    remedy=(
        Step(
            "See what the agents and their token sidecars say.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "deployment/extension-agent",
                "--all-containers",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the agents fetch new tokens.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment",
                "-n",
                "kube-system",
                "extension-agent",
                "extension-operator",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the log shows response code 200",
        ),
        Step(
            "Reconcile the cluster if its identity was changed; reinstall the extension if its own is gone.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}"),
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/cluster-extensions",),
    leads_to=("arc.extension_agent_silent", "kubernetes.readiness_fails"),
    ask="kubectl logs -n kube-system deployment/extension-agent --all-containers --tail=100",
)
