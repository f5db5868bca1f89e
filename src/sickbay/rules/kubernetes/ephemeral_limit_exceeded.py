from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod wrote more to its local storage than its limit allows, and was evicted",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"Pod ephemeral local storage usage exceeds the total limit of containers (?P<limit>\d[\d.]*\w*)|Usage of EmptyDir volume \"(?P<volume>[^\"]{1,100})\" exceeds the limit \"(?P<size>[\w.]+)\"|Container (?P<container>[\w.-]+) exceeded its local ephemeral storage limit \"?(?P<allowed>[\w.]+)",
            says="a pod used more local storage than its limit",
            sample='Evicted: Usage of EmptyDir volume "cache" exceeds the limit "1Gi".',
            near_miss="Evicted: The node was low on resource: ephemeral-storage. Threshold quantity: 13378573513, available: 11Gi.",
        ),
    ),
    why="Logs, the writable layer of a container and its emptyDir volumes count against the ephemeral-storage limit (or the sizeLimit of the volume). Whoever exceeds it is evicted, however empty the disk of the node is.",
    remedy=(
        Step(
            "See the limits of the pod and its volumes.",
            run=("kubectl", "get", "pod", "{pod}", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Raise limits.ephemeral-storage or sizeLimit, or write less: rotate logs, clean caches, put data on a persistent volume.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n {namespace} lists no new Evicted",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/ephemeral-storage/",),
    leads_to=("kubernetes.pod_evicted",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
