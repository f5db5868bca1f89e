from sickbay.model.aso import AsoObject
from sickbay.model.aso_spec import config_maps_of
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.guards import ConfigMap
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def key_does_not_exist(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    if thing.is_ready or not thing.is_of_aso:
        return None
    needs = list(config_maps_of(thing.wanted))
    for need in needs:
        holder = snapshot.find(kube("ConfigMap", thing.namespace, need.name))
        if not isinstance(holder, ConfigMap):
            continue
        if holder.keys is None:
            look = f"kubectl describe configmap {need.name} -n {thing.namespace}"
            raise UnseenError(Gap("ConfigMap", f"keys of {need.name}", to_open=look))
        if need.key not in holder.keys:
            held = ", ".join(holder.keys) or "nothing"
            return Match(
                f"{thing.object_kind} {thing.name} reads {need.key} from config map {need.name}, which holds {held}",
                facts={"configmap": need.name, "key": need.key},
                cites=(thing.cite(need.path, f"{need.name}.{need.key}"),),
            )
    return Clear(f"every config map that {thing.name} names has its key") if needs else None


RULE = Rule(
    title="A config map exists but lacks the key that an ASO object asks for",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        key_does_not_exist,
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
