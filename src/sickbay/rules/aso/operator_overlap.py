from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Two ASO installations both manage the same object",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r'Operators in "(?P<one>[\w.-]+)" and "(?P<other>[\w.-]+)" are both configured to manage this resource',
            says="the operators in {one} and {other} both manage an object",
            sample='Overlap: Operators in "aso1" and "aso2" are both configured to manage this resource',
            near_miss='Operators in "aso1" and "aso2" are configured to manage different namespaces',
        ),
    ),
    why="Each installation marks the objects that it manages with its own namespace. Their target namespaces overlap, so both operators write to the same object and to Azure.",
    remedy=(
        Step(
            "See where operators run.",
            run=(
                "kubectl",
                "get",
                "deployments",
                "-A",
                "-l",
                "control-plane=controller-manager",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give each operator its own AZURE_TARGET_NAMESPACES, or remove one installation.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get events -A --field-selector reason=Overlap lists nothing new",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/authentication/multitenant-deployment/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get deployments -A -l control-plane=controller-manager",
)
