from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ASO controller could not apply its CRDs to the cluster",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"failed to apply CRDs",
            says="applying the CRDs failed",
            sample='E1115 22:34:13.657253 1 main.go:133] "failed to apply CRDs" err="context deadline exceeded" logger="setup"',
            near_miss="applied 37 CRDs",
        ),
    ),
    why="At start the controller writes the CRDs that match crdPattern. It fails when its role may not write customresourcedefinitions, or when a small API server times out under the size and number of these CRDs.",
    remedy=(
        Step(
            "Read why the API server refused them.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "azureserviceoperator-system",
                "-l",
                "control-plane=controller-manager",
                "-c",
                "manager",
                "--tail",
                "100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the controller may write CRDs.",
            run=(
                "kubectl",
                "auth",
                "can-i",
                "update",
                "customresourcedefinitions",
                "--as",
                "system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restrict crdPattern to the groups that are used, and use the Standard tier for the API server if it times out.",
            verify="kubectl get crd -l app.kubernetes.io/name=azure-service-operator lists the CRDs",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/crd-management/",),
    ask="kubectl logs -n azureserviceoperator-system -l control-plane=controller-manager -c manager --tail 100",
)
