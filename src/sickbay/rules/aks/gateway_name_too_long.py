from sickbay.rulekit import TYPICAL, Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The name of a Gateway and its class together exceed 63 characters, so its resources cannot be made",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:gateway|istiod|deployment controller).{0,300}?must be no more than 63 characters|(?:error|failed) (?:provisioning|creating) gateway .{0,200}?(?:63|too long|invalid name)",
            says="the names that a Gateway needs are too long",
            sample='error provisioning gateway shop/a-very-long-name: Deployment.apps "a-very-long-name-istio" is invalid: metadata.labels: Invalid value: must be no more than 63 characters',
            near_miss="info gateway shop/web provisioned",
            weight=TYPICAL,
        ),
    ),
    why="Istio names the Deployment and Service of a Gateway after the Gateway and its class; labels and names take 63 characters at most.",
    remedy=(
        Step(
            "Give the Gateway a shorter name for its resources.",
            run=(
                "kubectl",
                "annotate",
                "gateway",
                "<gateway>",
                "-n",
                "{namespace}",
                "gateway.istio.io/name-override=<short-name>",
            ),
            verify="kubectl get gateway -n {namespace} wants PROGRAMMED True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-gateway-api",
    ),
    ask="kubectl get gateway -A -o json",
)
