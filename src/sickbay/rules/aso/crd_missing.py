from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ASO controller needs a CRD that the cluster does not have in that version",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r'no matches for kind "(?P<kind>\w+)" in version "(?P<version>[\w.-]+\.azure\.com/[\w.-]+)"',
            says="the cluster does not serve {kind} in {version}",
            sample='E0302 21:54:54.260693 1 deleg.go:144] setup "msg"="problem running manager" "error"="failed to wait for registry caches to sync: no matches for kind \\"Registry\\" in version \\"containerregistry.azure.com/v1alpha1api20210901storage\\""',
            near_miss='no matches for kind "Gateway" in version "gateway.networking.k8s.io/v1"',
        ),
        Signature(
            pattern=r"Skipping reconciliation of resource because CRD was not installed or did not match the expected shape(?P<kind>)(?P<version>)",
            says="ASO ignores a kind whose CRD is absent or old",
            sample='"Skipping reconciliation of resource because CRD was not installed or did not match the expected shape" logger="setup" groupKind="Registry.containerregistry.azure.com"',
            near_miss="Skipping reconciliation of resource because it is being deleted",
        ),
    ),
    why="Each kind and API version of ASO is a CustomResourceDefinition (CRD) that must be installed from the same ASO release. With one missing or older, the controller cannot watch it: it exits with no matches for kind, or skips that kind.",
    remedy=(
        Step(
            "List the CRDs of ASO with the version that they came from.",
            run=(
                "kubectl",
                "get",
                "crd",
                "-l",
                "app.kubernetes.io/name=azure-service-operator",
                "-L",
                "app.kubernetes.io/version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install or upgrade the CRDs: name the group in crdPattern of the Helm release of the same version as the controller, e.g. containerregistry.azure.com/*.",
            risk=Risk.SAFE,
            verify="kubectl get crd -l app.kubernetes.io/name=azure-service-operator lists the kind",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/crd-management/",
        "https://azure.github.io/azure-service-operator/guide/upgrading/",
    ),
    leads_to=(
        "kubernetes.kind_not_served",
        "aso.not_ready",
    ),
    ask="kubectl get crd -l app.kubernetes.io/name=azure-service-operator -L app.kubernetes.io/version",
)
