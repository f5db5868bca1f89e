from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="An object is larger than Kubernetes stores (too long, request is too large)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"is invalid: [\w.\[\]/ -]{3,120}: Too long: (?:must have at most|may not be (?:longer|more) than) (?P<limit>\d+) ?(?:bytes|characters)?|etcdserver: request is too large|Request entity too large: limit is (?P<bytes>\d+)|rpc error: .{0,80}?trying to send message larger than max",
            says="an object is larger than what Kubernetes takes",
            sample='The CustomResourceDefinition "prometheuses.monitoring.coreos.com" is invalid: metadata.annotations: Too long: must have at most 262144 bytes',
            near_miss='The Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 80',
            unless=r"metadata\.name: |metadata\.labels",
        ),
    ),
    why="Annotations may hold 256 KiB, a secret or config map 1 MiB, and a request to etcd 1.5 MiB. kubectl apply keeps a copy of the manifest in an annotation, which large custom resource definitions exceed; Helm keeps the whole release in one secret.",
    remedy=(
        Step(
            "For a large manifest, apply on the server, which needs no annotation (Argo CD: ServerSideApply=true).",
            run=("kubectl", "apply", "--server-side", "--force-conflicts", "-f", "<manifest>"),
        ),
        Step(
            "For a Helm release: leave large files out of the chart (.helmignore), or split the chart."
        ),
        Step(
            "For data: put it into a volume or a blob instead of a config map or secret.",
            verify="the object is stored",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/using-api/server-side-apply/",),
    leads_to=(
        "kubernetes.object_invalid",
        "kubernetes.release_gave_up",
    ),
    ask="kubectl apply --server-side --dry-run=server -f <manifest>",
)
