from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ASO is installed into another namespace than its manifests name (azureserviceoperator-system)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"namespaces? \W{0,2}(?P<namespace>azureserviceoperator-system|azureoperator-system)\W{0,2} not found",
            says="the namespace {namespace} does not exist",
            sample='Error: namespaces "azureserviceoperator-system" not found',
            near_miss="namespace/azureserviceoperator-system created",
            weight=TYPICAL,
        ),
    ),
    why="The conversion webhooks in the CRDs of ASO point at a service in one fixed namespace, and older charts and the YAML release name that namespace in every object. Where it does not exist, the installation stops or the webhooks lead nowhere.",
    remedy=(
        Step(
            "Install into the namespace of the manifests, and let Helm make it.",
            run=(
                "helm",
                "upgrade",
                "--install",
                "aso2",
                "aso2/azure-service-operator",
                "--create-namespace",
                "--namespace",
                "azureserviceoperator-system",
            ),
            risk=Risk.SAFE,
            verify="kubectl get pods -n azureserviceoperator-system wants Running",
        ),
        Step(
            "For another namespace take a newer release of the chart, and remove CRDs that an older one left.",
            run=("kubectl", "get", "crd", "-l", "app.kubernetes.io/name=azure-service-operator"),
            risk=Risk.READ,
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/#installation",),
    leads_to=("aso.webhook_down",),
    ask="kubectl get pods -A -l control-plane=controller-manager",
)
