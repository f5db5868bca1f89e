from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A label or taint of the node pool is not allowed: its key is reserved or its form invalid",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"\bNodeLabel\w*(?:NotAllowed|Invalid)\w*\b|\bInvalidNode(?:Label|Taint)\w*\b|(?i:node label keys in the 'kubernetes\.io')|(?i:(?:node ?)?(?:label|taint)s?(?: keys?)? .{0,100}?(?:is (?:not allowed|reserved|invalid)|are (?:not allowed|reserved|invalid)|must begin with an allowed prefix|(?:system|reserved) prefix))|aka\.ms/aks-node-labels|(?i:Invalid (?:node )?(?:label|taint)(?: key)? [\w.-]{1,100}/[\w.-]{1,63}\. )|(?i:Invalid (?:node )?(?:label|taint): )|(?i:\bnode ?(?:Labels|Taints)\b.{0,80}?(?:is invalid|not allowed|reserved))|--node-labels in the 'kubernetes\.io' namespace must begin with an allowed prefix",
            says="a label or taint of the pool is refused",
            sample="BadRequest: For Kubernetes version greater than or equal to 1.16, node label keys in the 'kubernetes.io' or 'k8s.io' namespace must begin with an allowed prefix (kubelet.kubernetes.io, node.kubernetes.io).",
            near_miss="node label kubernetes.azure.com/mode=system was set",
            weight=TYPICAL,
            unless=r"(?i)system (?:node ?|agent ?)?pool|metadata\.labels|selector|CriticalAddonsOnly|\bpod\b|tolerat|TaintAllAgent|namespace \S{1,80} labels|managed by ARM",
        ),
    ),
    why="The prefixes kubernetes.azure.com, kubernetes.io and k8s.io (node-role.kubernetes.io, too) belong to AKS and to Kubernetes: pools may carry labels of their own under other keys only, and a taint has the form key=value:Effect. The kubelet would refuse to start with such a label, so AKS refuses the pool.",
    remedy=(
        Step(
            "Rename the key to a prefix of your own (contoso.com/role), and write taints as key=value:NoSchedule, PreferNoSchedule or NoExecute."
        ),
        Step(
            "Set it on the pool.",
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
                "<pool>",
                "--labels",
                "<key>=<value>",
            ),
            risk=Risk.SAFE,
            verify="kubectl get nodes --show-labels wants the label",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-labels",),
    leads_to=("aks.request_refused",),
    ask="az aks nodepool show -g {resource_group} --cluster-name {cluster} -n <pool> -o json",
)
