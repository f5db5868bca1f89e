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

_GPU = ("standard_nk", "standard_nc", "standard_nv", "standard_nd")


@each(ProvisionedClusterInstance, TYPICAL)
def default_pool_has_gpu(
    cluster: ProvisionedClusterInstance,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    pools = cluster.agent_pool_profiles or []
    if not pools or not cluster.is_unwell:
        return None
    first = pools[0]
    if not (first.vm_size or "").casefold().startswith(_GPU):
        return Clear(f"the default pool of {cluster.title} has size {first.vm_size}")
    return Match(
        f"the default pool {first.name or ''} of {cluster.title} has the GPU size {first.vm_size}",
        facts={"size": first.vm_size or "", "cluster": cluster.title},
        cites=(cluster.cite("properties.agentPoolProfiles[0].vmSize", first.vm_size),),
    )


RULE = Rule(
    title="A GPU size was chosen for the default node pool of a cluster on Azure Local",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        default_pool_has_gpu,
        Signature(
            pattern=r"(?i)\bGPU\b(?:[\w ]{0,20}? '?(?P<size>Standard_\w+))?.{0,60}?(?:is not|isn't|not) (?:supported|allowed|available) (?:for|in|on|as) (?:the )?default (?:node ?)?pool|Standard_N[CDKV]\w+ (?:cannot|can't|must not) be (?:used|chosen|set) (?:for|in|as|on) (?:the )?default (?:node ?)?pool|default (?:node ?)?pool\b.{0,80}?(?:cannot|can't|must not|does not support)\b.{0,40}?\bGPU",
            says="the default pool cannot have a GPU size",
            sample='admission webhook "vhybridakscluster.kb.io" denied the request: GPU VM size Standard_NC4_A2 is not supported for the default node pool',
            near_miss="GPU VM size Standard_NC4_A2 is used by node pool gpu1",
        ),
    ),
    why="The newer GPU sizes cannot carry the default node pool: the creation of the cluster fails with them. A pool of such a size can be added once the cluster is up.",
    remedy=(
        Step(
            "Delete the failed cluster.",
            run=("az", "aksarc", "delete", "-g", "{resource_group}", "-n", "{cluster}"),
            risk=Risk.DESTRUCTIVE,
        ),
        Step("Create it again with a size without GPU for the default pool."),
        Step(
            "Add the pool with the GPU size.",
            run=(
                "az",
                "aksarc",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "gpu",
                "--node-vm-size",
                "{size}",
            ),
            risk=Risk.SAFE,
            verify="az aksarc nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/gpu-enabled-cluster-issue",),
    leads_to=("hybrid.cluster_failed",),
    ask="az aksarc show -g {resource_group} -n {cluster} --query properties.status.errorMessage",
)
