from sickbay.model.addons import TriggerAuthentication
from sickbay.model.aks import ManagedCluster, minor
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

_REMOVED_IN = 32


@each(TriggerAuthentication)
def uses_pod_identity(asked: TriggerAuthentication, snapshot: Snapshot) -> Match | Clear | None:
    identity = asked.spec.pod_identity
    if identity is None or identity.provider != "azure":
        return Clear(f"trigger authentication {asked.namespace}/{asked.name} uses no pod identity")
    versions = [
        minor(c.current_kubernetes_version or c.kubernetes_version)
        for c in snapshot.some(ManagedCluster)
    ]
    known = [version for version in versions if version is not None]
    if known and max(known) < _REMOVED_IN:
        return Clear(f"KEDA of Kubernetes 1.{max(known)} still knows pod identity")
    return Match(
        f"trigger authentication {asked.namespace}/{asked.name} signs in by pod identity (provider azure)",
        cites=(asked.cite("spec.podIdentity.provider", identity.provider),),
    )


RULE = Rule(
    title="A KEDA trigger signs in by pod-managed identity, which KEDA 2.15 has removed",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.SCALING,
    ),
    detect=(
        uses_pod_identity,
        Signature(
            pattern=r"(?i)pod ?identity(?: provider)? \"?'?azure\"?'? .{0,60}?(?:not supported|no longer supported|removed|unsupported)|keda.{0,200}?(?:pod identity|podIdentity).{0,60}?azure\b.{0,60}?(?:not supported|unknown|invalid)",
            says="a trigger asks for pod identity",
            sample="error resolving auth params: pod identity azure is not supported, use azure-workload",
            near_miss="pod identity azure-workload is used",
            weight=TYPICAL,
        ),
    ),
    why="With Kubernetes 1.32 the add-on brings KEDA 2.15, which knows workload identity only: a TriggerAuthentication with podIdentity.provider azure no longer gives a token, and its scalers stand still.",
    remedy=(
        Step(
            "Find the triggers.",
            run=(
                "kubectl",
                "get",
                "triggerauthentication",
                "-A",
                "-o",
                "custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,PROVIDER:.spec.podIdentity.provider",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Move each to azure-workload, with a federated credential for keda-operator in kube-system.",
            run=(
                "kubectl",
                "patch",
                "triggerauthentication",
                "{name}",
                "-n",
                "{namespace}",
                "--type",
                "merge",
                "-p",
                '{"spec":{"podIdentity":{"provider":"azure-workload"}}}',
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get scaledobject -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/changes-in-kubernetes-event-driven-autoscaling-add-on-214-215",
    ),
    leads_to=("aks.keda_scaler_fails",),
    ask="kubectl get triggerauthentications -A -o json",
)
