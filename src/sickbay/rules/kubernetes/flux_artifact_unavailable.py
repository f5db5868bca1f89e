from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Flux cannot download an artifact from its source-controller (not found, refused or timed out)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"fail?ed to download artifact|failed to fetch artifact|(?:Get|GET) \S{0,3}http://source-controller\.[\w.-]+/\S{1,300} giving up after|failed to untar artifact",
            says="an artifact of Flux could not be downloaded",
            sample="failed to download artifact from http://source-controller.flux-system.svc.cluster.local./gitrepository/flux-system/prod/6.tar.gz, status: 404 Not Found",
            near_miss="stored artifact for revision 'main@sha1:0a1b2c3d'",
            passes=True,
        ),
    ),
    why="kustomize-controller and helm-controller fetch what the source-controller stored, over its service in flux-system. A source-controller that was restarted (its store is an emptyDir) answers 404 until it fetched again; several replicas, a network policy, a wrong cluster domain, a down pod or broken service routing make the download fail.",
    remedy=(
        Step(
            "See whether the source-controller runs and its sources are ready.",
            run=(
                "kubectl",
                "get",
                "pods,gitrepositories,helmrepositories,helmcharts",
                "-n",
                "flux-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Have the source fetched again.",
            run=(
                "kubectl",
                "annotate",
                "--overwrite",
                "gitrepository/<source>",
                "-n",
                "flux-system",
                "reconcile.fluxcd.io/requestedAt=now",
            ),
            risk=Risk.SAFE,
            verify="kubectl get kustomizations -A wants READY True",
        ),
        Step(
            "If it times out, look for a network policy in flux-system and for the cluster domain that the controllers use.",
            run=(
                "kubectl",
                "get",
                "networkpolicies",
                "-n",
                "flux-system",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=("https://fluxcd.io/flux/components/source/",),
    leads_to=(
        "arc.flux_source_unready",
        "kubernetes.release_gave_up",
    ),
    ask="kubectl get gitrepositories,helmcharts -A",
)
