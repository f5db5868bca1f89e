from sickbay.model.aks import ManagedCluster
from sickbay.model.cse import Ending, printed
from sickbay.model.governance import has_role
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

PULLERS = ("Owner", "Contributor", "AcrPull", "AcrPush", "Container Registry Repository Reader")


@each(ManagedCluster)
def kubelet_may_not_pull(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    registry = (cluster.bootstrap_profile and cluster.bootstrap_profile.container_registry_id) or ""
    kubelet = cluster.kubelet_object_id
    if not registry or not kubelet or not cluster.is_unwell:
        return None
    if has_role(snapshot, (kubelet,), registry, PULLERS):
        return Clear(f"the kubelet identity {kubelet} may pull from {registry.rpartition('/')[2]}")
    return Match(
        f"the kubelet identity {kubelet} has no role that lets it pull from {registry.rpartition('/')[2]}",
        facts={"registry": registry, "kubelet": kubelet},
        cites=(cluster.cite("properties.bootstrapProfile.containerRegistryResourceId", registry),),
    )


RULE = Rule(
    title="The kubelet identity may not pull from the bootstrap container registry (exit code 212)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.NODES),
    detect=(
        kubelet_may_not_pull,
        Signature(
            pattern=printed(Ending.REGISTRY_ACCESS),
            says="the bootstrap registry refused the kubelet identity",
            sample="VMExtensionProvisioningError: VM has reported a failure when processing extension 'vmssCSE'. Error message: Enable failed: failed to execute command: command terminated with exit status=212",
            near_miss="failed to execute command: command terminated with exit status=2120",
        ),
        Signature(
            pattern=r"(?i)OrasPullUnauthorized(?:VMExtensionError)?\b|Bootstrap Container Registry authorization failed",
            says="the bootstrap registry refused the kubelet identity",
            sample="Bootstrap Container Registry authorization failed. Please ensure kubelet identity has pull access to the registry.",
            near_miss="Bootstrap Container Registry authorization granted to the kubelet identity",
        ),
    ),
    why="Nodes of a network-isolated cluster pull from a private bootstrap registry (ACR) with the kubelet identity. Its AcrPull role is missing there, or the identity is not bound to the scale set.",
    remedy=(
        Step(
            "See which identity the kubelets have.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "identityProfile.kubeletidentity",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Grant that identity AcrPull on the registry.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--role",
                "AcrPull",
                "--assignee-object-id",
                "{kubelet}",
                "--assignee-principal-type",
                "ServicePrincipal",
                "--scope",
                "{registry}",
            ),
            risk=Risk.SAFE,
            verify="az role assignment list --scope {registry} --role AcrPull wants the identity",
        ),
        Step(
            "Reconcile the cluster, so that its nodes are provisioned again.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/vmextensionerror-oraspullunauthorized",
    ),
    leads_to=("aks.vm_extension_failed",),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
