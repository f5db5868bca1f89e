from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import ScaleSet
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

_FELT = ("kubernetes.registry_unauthorised", "kubernetes.registry_credential_missing")


@each(ScaleSet)
def lacks_kubelet_identity(scale_set: ScaleSet, snapshot: Snapshot) -> Match | Clear | None:
    cluster = scale_set.cluster(snapshot)
    if cluster is None:
        # None of them in evidence is not known, the one of somebody else is none of its business.
        snapshot.some(ManagedCluster)
    wanted = cluster.kubelet_resource_id if cluster else ""
    identity = scale_set.identity
    is_told = identity is not None or scale_set.virtual_machine_profile is not None
    if not wanted or not is_told or not scale_set.pool_name:
        return None
    assigned = identity.user_assigned_identities if identity else None
    bound = {id.casefold() for id in assigned or ()}
    name = wanted.rpartition("/")[2]
    if wanted.casefold() in bound:
        return Clear(f"{scale_set.name} has the kubelet identity {name}")
    return Match(
        f"{scale_set.name} has {len(bound)} identities, and the kubelet identity {name} is not among them",
        facts={"scale_set": scale_set.name, "kubelet": wanted},
        cites=(scale_set.cite("identity.userAssignedIdentities", sorted(bound)),),
        # A list that was cut short may lack them all.
        felt_as=() if identity else _FELT,
    )


RULE = Rule(
    title="The kubelet identity, or the one that a program asks for, is not on the node's scale set (Identity not found)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.NODES),
    detect=(
        lacks_kubelet_identity,
        Signature(
            pattern=r"(?i)(?:169\.254\.169\.254|\bimds\b|metadata/identity|manag\w{1,4} ?identity\w*|invalid_request|oauth2/token).{0,300}?(?:identity not found|requested identity (?:has not been|isn.{1,2}t|is not) assigned to this resource)|identity not found.{0,200}?(?:169\.254\.169\.254|\bimds\b|metadata/identity)",
            says="the metadata service knows no such identity on the node",
            sample='Failed to get token from IMDS: status code 400, body {"error":"invalid_request","error_description":"Identity not found"}',
            near_miss="Got token from IMDS: status code 200, identity found",
            unless=r"(?i)key ?vault|secrets-store",
            weight=TYPICAL,
        ),
    ),
    why="The instance metadata service (IMDS) hands out tokens only for identities that are bound to the machine. It answers 400 `Identity not found` for the kubelet identity: it was taken off the scale set, deleted, or made anew under the same name. A program in a pod that asks IMDS by a client id gets the same answer when workload identity was not injected into its pod.",
    remedy=(
        Step(
            "See which identity the kubelets should have.",
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
            "See which identities the scale set has.",
            run=(
                "az",
                "vmss",
                "identity",
                "show",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bind the kubelet identity to the scale set again.",
            run=(
                "az",
                "vmss",
                "identity",
                "assign",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--identities",
                "<kubelet-identity-id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az vmss identity show wants the kubelet identity",
        ),
        Step(
            "Reconcile the cluster.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
        Step("If a pod asked: give it workload identity, or the scale set the identity it names."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/vmextensionerror-oraspullunauthorized",
        "https://learn.microsoft.com/azure/aks/use-managed-identity",
    ),
    leads_to=(
        "aks.app_gateway_missing",
        "kubernetes.registry_credential_missing",
        "kubernetes.registry_unauthorised",
        "kubernetes.image_pull_failed",
        "aks.bootstrap_registry_unauthorized",
    ),
    ask="az vmss identity show -g {node_resource_group} -n <scale-set>",
)
