from sickbay.model.aso import AsoObject
from sickbay.model.aso_spec import config_maps_of, writer_of
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(AsoObject)
def configmap_does_not_exist(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    if thing.is_ready or not thing.is_of_aso:
        return None
    needs = list(config_maps_of(thing.wanted))
    if not needs:
        return None
    for need in needs:
        if snapshot.find(kube("ConfigMap", thing.namespace, need.name)) is not None:
            continue
        if not snapshot.has_seen("ConfigMap", thing.namespace):
            raise UnseenError(
                Gap(
                    "ConfigMap",
                    f"config map {need.name}",
                    to_open=f"kubectl get configmap {need.name} -n {thing.namespace}",
                )
            )
        writer = writer_of(need.name, "ConfigMap", thing.namespace, snapshot)
        source = f"; {writer} is to write it" if writer else ""
        return Match(
            f"{thing.object_kind} {thing.name} reads {need.key} from config map {need.name}, which does not exist in namespace {thing.namespace}{source}",
            facts={"configmap": need.name},
            cites=(thing.cite(need.path, f"{need.name}.{need.key}"),),
            weight=None
            if thing.trouble and thing.trouble.reason == "ConfigMapNotFound"
            else TYPICAL,
        )
    names = ", ".join(need.name for need in needs)
    return Clear(f"every config map that {thing.name} names exists: {names}")


RULE = Rule(
    title="A config map that an ASO object refers to does not exist (ConfigMapNotFound)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        configmap_does_not_exist,
        Signature(
            pattern=r"config ?map references?:? .{0,400}?ConfigMap \"(?:[\w.-]+/)?(?P<configmap>[\w.-]+)\" not found|couldn\'t resolve config ?map reference .{0,400}?ConfigMap \"(?:[\w.-]+/)?(?P<other>[\w.-]+)\" not found",
            says="the config map {configmap} does not exist",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: ConfigMapNotFound, Severity: Warning, RetryClassification: RetryFast, Cause: failed resolving config map references: couldn\'t resolve config map reference default/identity-settings.principalId: default/identity-settings does not exist (ConfigMap \\"identity-settings\\" not found)" logger="authorization_roleassignment" name="ra1" namespace="default"',
            near_miss='failed resolving config map references: default/identity-settings does not exist (ConfigMap "default/identity-settings" does not contain key "principalId")',
            passes=True,
        ),
        Signature(
            pattern=r"(?:\bFalse [WE]\w+ |\b[Rr]eason(?::| =) \"?)ConfigMapNotFound\b(?P<configmap>)",
            says="a config map that the object refers to is not there",
            sample="fic1 False Warning ConfigMapNotFound failed resolving config map ref",
            near_miss="fic1 True Succeeded",
            weight=TYPICAL,
            unless=r"does not contain key",
            passes=True,
        ),
    ),
    why="A FromConfig field of an ASO spec is filled from a config map in the same namespace. Often another ASO object writes that config map and has not become Ready, so that this object waits for it.",
    remedy=(
        Step(
            "See which config maps the namespace has, and which ASO objects are not Ready.",
            run=(
                "kubectl",
                "get",
                "configmaps",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring the object that exports {configmap} (operatorSpec.configMaps) to Ready, or create the config map, or correct its name in the spec.",
            verify="kubectl get configmap {configmap} -n {namespace} finds it",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/configmaps/",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="kubectl get configmap {configmap} -n {namespace}",
)
