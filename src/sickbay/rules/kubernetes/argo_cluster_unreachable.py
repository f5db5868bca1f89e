from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Argo CD cannot reach its destination cluster or is not accepted there (failed to sync cluster)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"failed to sync cluster \S{1,200}|failed to load initial state of resource|error synchronizing cache state|failed to get cluster (?:info|version) for|Cluster has no applications? and is not being monitored|cluster \S{1,200} has not been configured|unable to create application: .{0,120}?(?:destination|cluster)|there are no clusters with this name|failed to get server version",
            says="Argo CD cannot read its destination cluster",
            sample="ComparisonError: failed to sync cluster https://shop.hcp.westeurope.azmk8s.io:443: failed to load initial state of resource Pod: the teapot is cold",
            near_miss="cluster https://kubernetes.default.svc synced",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The application controller of Argo CD lists everything in the destination cluster with the credentials of the cluster secret. An expired or rotated token, a changed API server address or certificate, authorized IP ranges or a private cluster that the controller does not reach make the whole cluster unknown to it, and with it every application there.",
    remedy=(
        Step(
            "See what Argo CD knows of its clusters.",
            run=(
                "kubectl",
                "get",
                "secrets",
                "-n",
                "argocd",
                "-l",
                "argocd.argoproj.io/secret-type=cluster",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Renew the credentials or the address in the cluster secret (argocd cluster add --upsert), and let the address of Argo CD into the authorized ranges of the API server.",
            risk=Risk.SAFE,
            verify="argocd cluster list wants STATUS Successful",
        ),
    ),
    docs=("https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#clusters",),
    leads_to=("kubernetes.kubeconfig_rejected",),
    ask="kubectl logs -n argocd statefulset/argocd-application-controller",
)
