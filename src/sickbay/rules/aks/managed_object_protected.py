from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The object is managed by AKS or ARM and cannot be changed from here",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)attempting to (?:update|add|update/add|delete|remove)\S* a (?P<what>label|taint) configured on (?:aks )?node ?pool|(?:label|taint) configuration through Azure|webhook .?aks-node-validating-webhook\S* denied|aks-node-validating-webhook\.azmk8s\.io.{0,3} denied|is not allowed because it is managed by ARM|Access denied: '(?P<verb>\w+)' operation is not allowed|(?:cannot|not allowed to) (?:be )?(?:modified|deleted|changed|updated|delete|update|modify) .{0,60}?managed by (?:AKS|ARM|Azure)|namespace name cannot be the same as the name of a system namespace|aks-managed-\w[\w-]* .{0,80}?not allowed|ValidatingAdmissionPolicy 'aks-managed-protect-[\w-]+'.{0,120}? denied request",
            says="a managed object was to be changed",
            sample="Updating resource quota defaultresourcequota is not allowed because it is managed by ARM. Please update this resource quota though ARM api.",
            near_miss="Updating resource quota defaultresourcequota is allowed",
        ),
    ),
    why="Labels and taints that a node pool is configured with, managed namespaces, core extensions (aks-managed-...) and system namespaces belong to AKS. Changes from kubectl or from the extension API are denied; they have to be made through the ARM resource that manages them, and system namespace names cannot be taken.",
    remedy=(
        Step(
            "Make the change in the managing resource.",
            run=(
                "az",
                "aks",
                "namespace",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks namespace show wants the new value",
        ),
        Step("For a core extension, change the cluster setting that owns it."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/concepts-managed-namespaces",),
    leads_to=("arc.extension_failed", "arc.extension_pods_unready", "kubernetes.webhook_denied"),
    ask="az aks namespace list -g {resource_group} --cluster-name {cluster} -o json",
)
