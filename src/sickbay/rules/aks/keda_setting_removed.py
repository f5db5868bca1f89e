from sickbay.model.addons import ScaledObject
from sickbay.model.aks import ManagedCluster, minor
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Rule, Severity, Step, each

_REMOVED_IN = 30


@each(ScaledObject)
def relies_on_removed(scaled: ScaledObject, snapshot: Snapshot) -> Match | Clear | None:
    for trigger in scaled.spec.triggers or ():
        settings = trigger.metadata or {}
        old = "clientSecret" if "clientSecret" in settings and "explorer" in trigger.type else ""
        old = old or ("metricName" if "metricName" in settings else "")
        if not old:
            continue
        versions = [
            minor(c.current_kubernetes_version or c.kubernetes_version)
            for c in snapshot.some(ManagedCluster)
        ]
        known = [version for version in versions if version is not None]
        if known and max(known) < _REMOVED_IN:
            return Clear(f"KEDA of Kubernetes 1.{max(known)} still reads {old}")
        return Match(
            f"trigger {trigger.type} of {scaled.namespace}/{scaled.name} sets {old}",
            cites=(scaled.cite(f"spec.triggers[{trigger.type}].metadata.{old}", "set"),),
            # A name for the metric is ignored where nothing else is wrong.
            felt_as=("aks.keda_scaler_fails",) if old == "metricName" else (),
        )
    return Clear(f"the triggers of {scaled.namespace}/{scaled.name} use no removed setting")


RULE = Rule(
    title="A KEDA trigger uses a setting that KEDA 2.14 has removed (metricName, clientSecret)",
    severity=Severity.WARNING,
    categories=(
        Category.UPGRADE,
        Category.SCALING,
    ),
    detect=(relies_on_removed,),
    why="KEDA 2.14 (with Kubernetes 1.30) no longer reads metricName in the metadata of triggers, nor clientSecret of the Data Explorer scaler; a trigger that relies on them fails or reports under another name.",
    remedy=(
        Step(
            "Name the trigger by its field name instead of metadata.metricName; give the secret by clientSecretFromEnv or a TriggerAuthentication.",
            run=(
                "kubectl",
                "edit",
                "scaledobject",
                "{name}",
                "-n",
                "{namespace}",
            ),
            verify="kubectl get scaledobject -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/changes-in-kubernetes-event-driven-autoscaling-add-on-214-215",
    ),
    leads_to=("aks.keda_scaler_fails",),
)
