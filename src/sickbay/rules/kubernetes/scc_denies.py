from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="No security context constraint (SCC) of OpenShift admits the pod",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)unable to validate against any security context constraint",
            says="no SCC admits the pod",
            sample='pods "microsoft-defender-collector-misc-8685f9658-" is forbidden: unable to validate against any security context constraint: [provider "anyuid": Forbidden: not usable by user or serviceaccount, spec.volumes[0]: Invalid value: "hostPath": hostPath volumes are not allowed to be used]',
            near_miss='pods "web" is forbidden: exceeded quota',
        ),
    ),
    why="OpenShift admits a pod only if a security context constraint that its service account may use allows everything that it asks for: host paths, privileged containers, host network, user ids. Agents and extensions (Arc, Defender, Azure Monitor, Policy) need more than the default constraint restricted-v2 gives.",
    remedy=(
        Step(
            "See which constraints the service account may use.",
            run=(
                "kubectl",
                "get",
                "securitycontextconstraints",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Grant the one that the extension's page names to its service account: oc adm policy add-scc-to-user <scc> -z <service-account> -n {namespace}."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
    leads_to=(
        "kubernetes.pod_security_violation",
        "arc.extension_pods_unready",
        "arc.extension_failed",
        "arc.agents_not_running",
    ),
    ask="kubectl get events -A --field-selector reason=FailedCreate",
)
