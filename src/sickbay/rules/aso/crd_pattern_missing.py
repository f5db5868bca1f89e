from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ASO has no CRD to serve: crdPattern was not given, or matches no CRD that exists",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"No existing CRDs in cluster and no --crd-pattern specified|failed to determine CRDs to apply|\d+ of \d+ did not match.{0,80}?no match for",
            says="there are no ASO CRDs and no pattern to choose them",
            sample='E1115 22:34:13.657253 1 main.go:120] "No existing CRDs in cluster and no --crd-pattern specified" logger="setup"',
            near_miss="Applying CRDs that match --crd-pattern resources.azure.com/*",
        ),
    ),
    why="Since v2.0 ASO installs only the CRDs that match crdPattern (--crd-pattern). A first installation without a pattern has nothing to install, and the controller stops; so it does when a pattern is misspelt and has no match (failed to determine CRDs to apply).",
    remedy=(
        Step(
            "Set crdPattern to the groups that are used.",
            run=(
                "helm",
                "upgrade",
                "aso2",
                "aso2/azure-service-operator",
                "--namespace",
                "azureserviceoperator-system",
                "--reuse-values",
                "--set",
                "crdPattern=resources.azure.com/*;containerservice.azure.com/*",
            ),
            risk=Risk.SAFE,
            verify="kubectl get crd -l app.kubernetes.io/name=azure-service-operator lists CRDs",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/crd-management/",),
    ask="kubectl get crd -l app.kubernetes.io/name=azure-service-operator",
)
