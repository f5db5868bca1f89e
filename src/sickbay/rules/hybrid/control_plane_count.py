from sickbay.model.hybrid import ProvisionedClusterInstance
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

_ALLOWED = {1, 3, 5}


@each(ProvisionedClusterInstance)
def count_is_refused(
    cluster: ProvisionedClusterInstance,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    count = cluster.control_plane.count if cluster.control_plane else None
    if count is None:
        return None
    if count in _ALLOWED:
        return Clear(f"{cluster.title} has {count} control plane node(s)")
    return Match(
        f"{cluster.title} asks for {count} control plane nodes",
        facts={"count": str(count)},
        cites=(cluster.cite("properties.controlPlane.count", count),),
    )


RULE = Rule(
    title="The number of control plane nodes is even: AKS on Azure Local takes 1, 3 or 5",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        count_is_refused,
        Signature(
            pattern=r"(?i)control ?plane(?: node)?(?: pool)?(?: replica)? ?(?:count|number|replicas?)\b\W{0,3}(?P<count>\d+)?.{0,80}?(?:must be (?:an )?odd|should be (?:an )?odd|(?:must|should) be (?:one of )?\W?1, ?3|is (?:an )?even|not (?:an )?odd)",
            says="the number of control plane nodes must be odd",
            sample="ControlPlaneConfigurationValidation: ControlPlane: control plane count 2 must be an odd number (1, 3 or 5).",
            near_miss="ControlPlaneConfigurationValidation: ControlPlane: control plane count 3 is valid.",
            weight=TYPICAL,
        ),
    ),
    why="etcd on the control plane decides by majority, so an even number adds a machine and no safety. The validation of AKS enabled by Arc (ControlPlaneConfigurationValidation) takes 1, 3 or 5 nodes only.",
    remedy=(
        Step(
            "Ask for 1, 3 or 5 nodes instead of {count}: --control-plane-count 3.",
            risk=Risk.SAFE,
            verify="az aksarc show -g {resource_group} -n <cluster> --query properties.controlPlane.count wants 1, 3 or 5",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/control-plane-validation-errors",),
    leads_to=("hybrid.cluster_failed",),
)
