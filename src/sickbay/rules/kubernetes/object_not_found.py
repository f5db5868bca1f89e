from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The object that was asked for does not exist: a wrong name, namespace or context (not found)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"Error from server \(NotFound\): (?:error when (?:creating|applying|replacing|patching|deleting|retrieving) [^:]{1,300}: )?(?P<kind>[\w.]+) \"(?P<object>[^\"]{1,200})\" not found",
            says="{kind} {object} does not exist in the namespace that was asked",
            sample='Error from server (NotFound): pods "cart-7d9f8b6c5-x2x4q" not found',
            near_miss="Error from server (Forbidden): pods is forbidden",
            unless=r"metrics\.k8s\.io",
        ),
        Signature(
            pattern=r"(?:INSTALLATION|UPGRADE|ROLLBACK) FAILED: .{0,120}?(?P<kind>namespaces) \"(?P<object>[^\"]{1,200})\" not found",
            says="the namespace {object} does not exist",
            sample='Error: INSTALLATION FAILED: create: failed to create: namespaces "shop" not found',
            near_miss='namespace "shop" created',
        ),
        Signature(
            pattern=r"unable to (?:cordon|uncordon|drain|taint) node \"(?P<object>[^\"]{1,200})\".{0,80}?(?P<kind>nodes) \"[^\"]{1,200}\" not found",
            says="there is no node {object} (any more)",
            sample='error: unable to drain node "aks-np1-000003" due to error:nodes "aks-np1-000003" not found, continuing command...',
            near_miss='error: unable to drain node "aks-np1-000003" due to error:cannot delete DaemonSet-managed Pods',
        ),
    ),
    why="An object of this name does not exist in this namespace: a wrong name or namespace, the wrong cluster context, or a pod that was replaced meanwhile.",
    remedy=(
        Step("Look in all namespaces.", run=("kubectl", "get", "{kind}", "-A"), risk=Risk.READ),
        Step(
            "Name the right namespace with -n, or change the context.",
            run=("kubectl", "config", "get-contexts"),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/kubectl/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/pods-namespaces-terminating-state",
    ),
    leads_to=(),
    ask="kubectl get {kind} -A",
)
