from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A config map exists but lacks the key that an ASO object asks for",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r'ConfigMap "(?:(?P<namespace>[\w.-]+)/)?(?P<configmap>[\w.-]+)" does not contain key "(?P<key>[^"]{1,253})"',
            says="the config map {configmap} has no key {key}",
            sample='failed resolving config map references: default/identity-settings does not exist (ConfigMap "default/identity-settings" does not contain key "principalId")',
            near_miss='failed resolving config map references: couldn\'t resolve config map reference default/identity-settings.principalId: default/identity-settings does not exist (ConfigMap "identity-settings" not found)',
        ),
    ),
    why="A FromConfig field names a config map and a key in it. The config map is there and the key is not, which ASO reports as ConfigMapNotFound.",
    remedy=(
        Step(
            "See which keys it has.",
            run=(
                "kubectl",
                "get",
                "configmap",
                "{configmap}",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Export the key {key} from the object that writes the config map (operatorSpec.configMaps), or name a key that is there.",
            verify="kubectl get configmap {configmap} -n {namespace} -o yaml shows {key}",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/configmaps/",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get configmap {configmap} -n {namespace} -o yaml",
)
