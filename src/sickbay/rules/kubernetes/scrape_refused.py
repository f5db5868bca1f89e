from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Prometheus is refused by a target that it scrapes (server returned HTTP status 401 or 403)",
    severity=Severity.WARNING,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?:\"?(?P<target>https?://[\w.\[\]:-]{3,200})(?:/[\w./-]{0,120})?\"?.{0,40}?)?server returned HTTP status (?P<status>401 Unauthorized|403 Forbidden)",
            says="a target answers a scrape with {status}",
            sample='Get "https://10.224.0.4:10250/metrics/cadvisor": server returned HTTP status 403 Forbidden',
            near_miss='Get "https://10.224.0.4:10250/metrics/cadvisor": server returned HTTP status 503 Service Unavailable',
            weight=TYPICAL,
        ),
    ),
    why="The target was reached and wants to know who asks. The kubelet and the control plane accept the token of a service account only with a role on nodes/metrics or the URL /metrics; a target behind kube-rbac-proxy wants the same, others a user or token in the monitor.",
    remedy=(
        Step(
            "See whether the service account of Prometheus may read metrics.",
            run=(
                "kubectl",
                "auth",
                "can-i",
                "get",
                "nodes",
                "--subresource=metrics",
                "--as=system:serviceaccount:<namespace>:<account>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bind a cluster role with get on nodes/metrics and on the non-resource URLs /metrics and /metrics/cadvisor to it (401: let the job send the token, bearerTokenFile or authorization).",
            verify="the target is UP on the page of targets",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/",
        "https://prometheus-operator.dev/docs/platform/rbac/",
    ),
    leads_to=(),
    ask="kubectl get clusterroles,clusterrolebindings -o yaml",
)
