from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Flux cannot apply an object, because its namespace does not exist in the cluster",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?P<object>\w+/[\w.-]+/[\w.-]+) namespace not specified, error: namespaces \W{0,3}(?P<namespace>[\w-]{1,63})\W{0,3} not found|(?P<other>\w+/[\w.-]+/[\w.-]+) (?:dry-run failed|not found|server-side apply failed)\b.{0,120}?namespaces \W{0,3}(?P<second>[\w-]{1,63})\W{0,3} not found",
            says="the namespace[ {namespace}] of the object is missing",
            sample='ConfigMap/cluster-config/redis-values-mhbkt4gc9t namespace not specified, error: namespaces "cluster-config" not found',
            near_miss="ConfigMap/cluster-config/redis-values-mhbkt4gc9t created",
        ),
    ),
    why="A Kustomization applies the objects of its folder into the namespaces that they name, or into the one of the configuration where they name none. Flux makes no namespace by itself: it must be one of the objects, come from a Kustomization that goes before (dependsOn), or be made by hand.",
    remedy=(
        Step(
            "See which namespaces there are.",
            run=("kubectl", "get", "namespaces"),
            risk=Risk.READ,
        ),
        Step(
            "Add the namespace to the repository, or make it.",
            run=("kubectl", "create", "namespace", "<namespace>"),
            risk=Risk.SAFE,
        ),
        Step(
            "Let Flux apply it again.",
            run=(
                "kubectl",
                "annotate",
                "kustomizations.kustomize.toolkit.fluxcd.io/<name>",
                "-n",
                "<namespace>",
                "--overwrite",
                "reconcile.fluxcd.io/requestedAt=now",
            ),
            risk=Risk.SAFE,
            verify="kubectl get kustomizations.kustomize.toolkit.fluxcd.io -A wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/tutorial-use-gitops-flux2",
        "https://fluxcd.io/flux/components/kustomize/kustomizations/",
    ),
    leads_to=("arc.flux_build_fails",),
    ask="kubectl get kustomizations.kustomize.toolkit.fluxcd.io -A",
)
