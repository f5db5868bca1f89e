from sickbay.model.aks import ManagedCluster
from sickbay.model.applications import OfferedVersions, minor_of
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


@each(ManagedCluster, TYPICAL)
def is_not_offered(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    version = cluster.current_kubernetes_version or cluster.kubernetes_version
    lists = [one for one in snapshot.some(OfferedVersions) if one.is_of(cluster.location)]
    offered = next((one for one in lists if one.location), lists[0] if lists else None)
    if offered is None or not minor_of(version) or not offered.minors:
        return None
    if minor_of(version) in offered.minors:
        return Clear(f"{minor_of(version)} of {cluster.name} is on offer")
    return Match(
        f"{cluster.name} is on {version}, and on offer are {', '.join(offered.minors)}",
        facts={"version": offered.minors[0], "location": cluster.location or ""},
        cites=(cluster.cite("properties.currentKubernetesVersion", version),),
        # It runs on, until an operation is asked of it.
        felt_as=() if cluster.is_unwell else ("aks.operation_failed",),
    )


RULE = Rule(
    title="The Kubernetes version is not offered in this region (K8sVersionNotSupported)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        is_not_offered,
        Signature(
            pattern=r"(?i)\b(?:InvalidClusterVersion|InvalidAgentPoolOrchestratorVersion|(?:AzurePolicy|CustomRouteTable|Dapr\w*|WindowsGmsa|AzureKeyvaultSecretsProvider)(?:NotSupportedWithOrchestratorVersion|UnsupportedK8SVersion)|UnsupportedDualStackKubernetesVersion)\b|\b(?:AgentPool)?K8sVersionNotSupported\b|is on version (?P<version>[\d.]+),? which is not supported in this region|version '?(?P<other>\d[\d.]+)'? is not supported in this region|orchestrator ?version '?[\w.]+'? is not (?:supported|valid)|only available for Long-Term Support|Orchestrator Version ['\"]?(?P<wanted>[\d.]+)['\"]? is not available for Node Pool",
            says="the Kubernetes version is not supported here",
            sample="K8sVersionNotSupported: Managed cluster shop is on version 1.25.6, which is not supported in this region. Please use [az aks get-versions] command to get the supported version list in this region.",
            near_miss="Managed cluster shop is on version 1.31.2, which is supported in this region",
        ),
        Signature(
            # So it also answers for a pool that is to be newer than its control plane.
            pattern=r"(?i)parameter (?:[\w.]+\.)?(?:orchestrator|kubernetes)Version is invalid|value of parameter orchestratorProfile\.OrchestratorVer",
            says="the Kubernetes version is refused",
            sample="Operation failed with status: 'Bad Request'. Details: The value of parameter agentpool.Properties.OrchestratorVersion is invalid. Please see https://aka.ms/aks-naming-rules for more details.",
            near_miss="The value of parameter agentpool.Properties.OrchestratorVersion is 1.31.2",
            weight=TYPICAL,
        ),
    ),
    why="AKS offers three minor versions in a region, and drops the patches of a version that is out of support. An operation that names a version outside that list, or that starts from one, is refused. A pool may not be newer than its control plane either: that is upgraded first.",
    remedy=(
        Step(
            "See which versions the region offers.",
            run=("az", "aks", "get-versions", "-l", "{location}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Name a version of the list; a cluster that is out of support moves to the oldest one that is offered.",
            run=(
                "az",
                "aks",
                "upgrade",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--kubernetes-version",
                "<version>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query currentKubernetesVersion wants the version",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/aks-upgrade-blocked",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks get-versions -l {location} -o json",
)
