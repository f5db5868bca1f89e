from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="CoreDNS cannot read services from the API server, so it answers for no name of the cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"plugin/kubernetes: (?:starting server with unsynced Kubernetes API|Kubernetes API connection failure|.{0,120}?[Ff]ailed to (?:list|watch))",
            says="CoreDNS serves without the data of the API server",
            sample="[WARNING] plugin/kubernetes: starting server with unsynced Kubernetes API",
            near_miss="[INFO] plugin/kubernetes: waiting for Kubernetes API before starting server",
            weight=TYPICAL,
            ended_by=r"NOERROR qr,aa,rd|plugin/ready: plugins ready",
            passes=True,
        ),
    ),
    why="The kubernetes plugin of CoreDNS has not synchronised with the API server: it is not reachable from the pod, or CoreDNS may not list services and endpoints. Names of the cluster get NXDOMAIN or SERVFAIL until it has.",
    remedy=(
        Step(
            "Read the whole log of CoreDNS: the error beside it says why.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "k8s-app=kube-dns",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the API server answers on the address of the service.",
            run=(
                "kubectl",
                "get",
                "endpointslices",
                "-n",
                "default",
            ),
            risk=Risk.READ,
        ),
        Step("Look for network policies and firewalls between kube-system and the API server."),
    ),
    leads_to=(
        "network.name_resolution_fails",
        "network.dns_name_unknown",
    ),
    docs=("https://coredns.io/plugins/kubernetes/",),
    ask="kubectl logs -n kube-system -l k8s-app=kube-dns",
)
