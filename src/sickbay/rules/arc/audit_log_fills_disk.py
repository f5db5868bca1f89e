from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Audit logs of the API server fill the control plane's disk",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b\d+(?:\.\d+)?G /var/log/kube-apiserver\b",
            says="gigabytes of audit logs lie in /var/log/kube-apiserver",
            sample="87G /var/log/kube-apiserver",
            near_miss="87M /var/log/kube-apiserver",
        ),
        Signature(
            pattern=r"(?i)Internal Server Error: \"?/api(?:s|)/[^ \"]{1,200}\"?: unknown",
            says="the API server answers with an unknown internal error",
            sample='Error from server (InternalError): an error on the server ("Internal Server Error: "/api/v1/namespaces?limit=500": unknown") has prevented the request from succeeding (get namespaces)',
            near_miss='Error from server (NotFound): namespaces "shop" not found',
            weight=TYPICAL,
        ),
    ),
    why="The API server of a cluster on Azure Local writes audit logs to /var/log/kube-apiserver. When they are not rotated they fill the root disk of the control plane VM, and every call is answered with an internal error.",
    remedy=(
        Step(
            "See the disk of the control plane VM.",
            run=(
                "ssh",
                "clouduser@<control-plane-ip>",
                "df",
                "-h",
                "/",
                "/var/log/kube-apiserver",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete old audit logs there, and update Azure Local, which rotates them.",
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get namespaces answers",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-troubleshoot",),
    ask="ssh clouduser@<control-plane-ip> df -h /",
)
