from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A conversion webhook answers, but cannot convert an object between API versions",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.CREATION),
    detect=(
        Signature(
            pattern=r"conversion webhook for (?P<version>[\w./-]+), Kind=(?P<kind>\w+) returned invalid (?:metadata|object)|conversion webhook for (?P<group>[\w./-]+), Kind=(?P<object>\w+) failed: (?:initial step of conversion|final step of conversion|converting (?:from|to|spec|status)|calling AssignProperties|unable to convert|expected \S{1,160} but received)",
            says="the conversion of {kind}{object} ({version}{group}) failed",
            sample="conversion webhook for containerservice.azure.upbound.io/v1beta1, Kind=KubernetesCluster returned invalid metadata: invalid metadata of type <nil> in input object",
            near_miss='conversion webhook for storage.azure.com/v1api20230101, Kind=StorageAccount failed: Post "https://azureserviceoperator-webhook-service.azureserviceoperator-system.svc:443/convert?timeout=30s": connection refused',
        ),
    ),
    why="The API server hands every object that is stored in another version than the one that was asked for to the webhook of its operator (ASO, Crossplane and others). The webhook runs, but returned an object that lacks its metadata, or met a field that has no place in the other version: its program and the CRDs are of different releases, or that release has a defect.",
    remedy=(
        Step(
            "Compare the version of the operator with that of its CRDs.",
            run=(
                "kubectl",
                "get",
                "crd",
                "-l",
                "app.kubernetes.io/name=azure-service-operator",
                "-o",
                "custom-columns=NAME:.metadata.name,VERSION:.metadata.labels.app\\.kubernetes\\.io/version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring both to one release, the newest patch of it first; until then name the version in which the object is stored.",
            verify="kubectl get of the object in both versions succeeds",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/crd-management/",
        "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
    ),
    leads_to=("aso.webhook_down", "kubernetes.webhook_down", "kubernetes.conversion_webhook_down"),
    ask="kubectl get crd -l app.kubernetes.io/name=azure-service-operator",
)
