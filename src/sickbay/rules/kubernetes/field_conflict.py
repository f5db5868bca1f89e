from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Two writers claim the same field: a server-side apply is refused (conflict)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"Apply failed with \d+ conflicts?: conflicts? with \"(?P<manager>[^\"]{1,100})\"",
            says="the fields are owned by {manager}, and the apply does not force",
            sample='Error: UPGRADE FAILED: conflict occurred while applying object shop/web apps/v1, Kind=Deployment: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas',
            near_miss='Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
        ),
    ),
    why="Server-side apply remembers who set each field. Another writer (kubectl edit, scale or patch, an autoscaler, an earlier installer) owns fields that this manifest sets to other values, and without force the whole apply is refused. Helm 4, Flux and Argo CD apply in this way.",
    remedy=(
        Step(
            "See who owns which field.",
            run=(
                "kubectl",
                "get",
                "<kind>",
                "<name>",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
                "--show-managed-fields",
            ),
            risk=Risk.READ,
        ),
        Step("Leave the field out of the manifest (replicas, where an autoscaler sets them)."),
        Step(
            "Or take it over: kubectl apply --server-side --force-conflicts, helm upgrade --force-conflicts.",
            risk=Risk.DISRUPTIVE,
            verify="the manifest is applied",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/using-api/server-side-apply/",),
    ask="kubectl get <kind> <name> -n {namespace} -o yaml --show-managed-fields",
)
