from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="CRDs of the Arc agents already exist and belong to another Helm release",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)CRD ownership validation failed|Check Failed: CRD\b|crdCheck=Failed|CustomResourceDefinition \"[\w.-]*(?:clusterconfig|arc)\.azure\.com\".{0,200}?cannot be imported into the current release",
            says="CRDs are owned by another release",
            sample="Error: CRD ownership validation failed. Check Failed: CRD",
            near_miss="CRD ownership validation passed",
        ),
    ),
    why="The agents bring their own custom resource definitions. CRDs that an earlier installation or another release owns (crdCheck=Failed) stop the onboarding.",
    remedy=(
        Step(
            "See who owns them.",
            run=(
                "kubectl",
                "get",
                "crd",
                "-o",
                "custom-columns=NAME:.metadata.name,RELEASE:.metadata.annotations.meta\\.helm\\.sh/release-name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the stale CRDs, or correct their ownership annotations.",
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {name} --query connectivityStatus wants Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
)
