from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Flux may not use a source of another namespace: multi-tenancy blocks cross-namespace references",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)can(?:'t|not) access '?(?P<object>\w+/[\w.-]+/[\w.-]+)'?, cross-namespace references have been blocked|cross-namespaced? references have been blocked",
            says="a reference[ to {object}] leads into another namespace",
            sample="can't access 'GitRepository/flux-system/cluster-config', cross-namespace references have been blocked",
            near_miss="GitRepository/flux-system/cluster-config: stored artifact for revision 'main@sha1:6fd69b58'",
        ),
    ),
    why="The Azure Flux extension starts its controllers with multi-tenancy (--no-cross-namespace-refs): a Kustomization or HelmRelease may name only sources, dependencies and providers of its own namespace, and ends with AccessDenied otherwise.",
    remedy=(
        Step(
            "See which objects are refused.",
            run=("kubectl", "get", "kustomizations,helmreleases", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Put the source into the namespace of the object that uses it, and name it there in sourceRef."
        ),
        Step(
            "Or, where all who write to the cluster trust each other, switch multi-tenancy off.",
            run=(
                "az",
                "k8s-extension",
                "update",
                "-g",
                "<resource-group>",
                "-c",
                "<cluster>",
                "-n",
                "flux",
                "-t",
                "connectedClusters",
                "--configuration-settings",
                "multiTenancy.enforce=false",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get kustomizations -A wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/conceptual-gitops-flux2",
        "https://fluxcd.io/flux/installation/configuration/multitenancy/",
    ),
    leads_to=("arc.flux_source_unready",),
    ask="kubectl get kustomizations,helmreleases -A",
)
