from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Istio add-on and the Gateway API of application routing exclude each other",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:app(?:lication)?[ -]?routing).{0,160}?(?:istio|service mesh).{0,160}?(?:cannot|can't|not|incompatible|exclu|conflict)\b.{0,80}?(?:enabled|together|coexist|same time|supported|both)|(?:service mesh|istio add-?on).{0,120}?(?:cannot|not) be enabled.{0,120}?app(?:lication)?[ -]?routing",
            says="two Gateway implementations were to be enabled",
            sample="(BadRequest) Application routing Gateway API implementation and the Istio service mesh add-on cannot be enabled at the same time.",
            near_miss="Application routing and the Istio service mesh add-on are enabled.",
            weight=TYPICAL,
        ),
    ),
    why="Both run an istiod in aks-istio-system and take the same definitions; AKS allows one. After a change, Gateways that keep the label istio.io/rev or the old gatewayClassName are served by nobody.",
    remedy=(
        Step(
            "Disable one of them.",
            run=(
                "az",
                "aks",
                "mesh",
                "disable",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Set gatewayClassName to approuting-istio (or istio), and remove the label istio.io/rev from the Gateways.",
            run=(
                "kubectl",
                "get",
                "gateway",
                "-A",
                "--show-labels",
            ),
            risk=Risk.READ,
            verify="kubectl get gateway -A wants PROGRAMMED True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/application-routing-gateway-api",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-gateway-api",
    ),
    leads_to=("aks.operation_failed",),
    ask="kubectl get gateway -A -o json",
)
