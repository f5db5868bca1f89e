from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kube-aad-proxy is kept out by a security policy or SCC",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Unable to create Kube-aad-proxy deployment|azure-arc-kube-aad-proxy-sa.{0,200}?(?:forbidden|unable to validate|violates)|kube-aad-proxy.{0,200}?unable to validate against any security context constraint",
            says="kube-aad-proxy was not admitted",
            sample="Error: Unable to create Kube-aad-proxy deployment. There might be a pod security policy or security context constraint (SCC) present which is preventing the deployment of kube-aad-proxy as it doesn't have admin privileges.",
            near_miss="Kube-aad-proxy deployment created",
        ),
    ),
    why="kube-aad-proxy mounts host paths and needs a privileged security context. On OpenShift the SCC privileged must be granted to azure-arc-kube-aad-proxy-sa before connecting; pod security policies elsewhere act alike.",
    remedy=(
        Step(
            "Grant the service account system:serviceaccount:azure-arc:azure-arc-kube-aad-proxy-sa the privileged SCC (oc adm policy add-scc-to-user) or exempt azure-arc from the policy.",
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
    leads_to=(
        "arc.onboarding_timeout",
        "arc.agents_not_running",
        "arc.connection_failed",
    ),
    ask="kubectl get events -n azure-arc --sort-by=.lastTimestamp",
)
