from sickbay.model.governance import RoleAssignment, has_role
from sickbay.model.kubernetes import Pod
from sickbay.model.registries import PULLERS, only_cluster, registry_of, waits_for
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


@each(Pod)
def kubelet_may_not_pull(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    # A pull secret stands in for the identity.
    if waits_for(pod) is None or pod.spec.image_pull_secrets:
        return None
    registry, cluster = registry_of(pod, snapshot), only_cluster(snapshot)
    if registry is None or cluster is None or not cluster.kubelet_object_id:
        return None
    kubelet = cluster.kubelet_object_id
    if has_role(snapshot, (kubelet,), registry.id, PULLERS):
        return Clear(f"the kubelet identity {kubelet} may pull from {registry.host}")
    # A list that holds roles on the registry itself was not of other places alone.
    shown = any(
        one.covers(registry.id) and registry.ref.key in (one.scope or "").casefold()
        for one in snapshot.some(RoleAssignment)
    )
    return Match(
        f"the kubelet identity {kubelet} of {cluster.name} has no role that lets it pull from {registry.host}",
        facts={"registry": registry.name, "cluster": cluster.name},
        cites=(cluster.cite("properties.identityProfile.kubeletidentity.objectId", kubelet),),
        weight=None if shown else TYPICAL,
    )


RULE = Rule(
    title="The registry refuses the node's identity (401 Unauthorized on image pull)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        kubelet_may_not_pull,
        Signature(
            pattern=r"failed to authorize: failed to fetch (?:anonymous|oauth) token:.{0,300}?\b401\b|\b(?:CONNECTIVITY_REFRESH_TOKEN_ERROR|CONNECTIVITY_ACCESS_TOKEN_ERROR|CONNECTIVITY_AAD_LOGIN_ERROR|CONNECTIVITY_WINCRED_ERROR)\b|aka\.ms/acr/authorization|Unable to authenticate using (?:AAD|admin) tokens|(?i:pull access denied)|no basic auth credentials|\bACR \S{1,100} rejected token exchange: ACR token exchange endpoint|Validating image pull permission: FAILED|(?:failed to resolve reference|[Ff]ailed to pull image).{0,600}?(?:401 Unauthorized|unauthorized: authentication required)|failed to resolve image to digest: .{0,400}?401 Unauthorized|/v2/\S{1,250}/manifests/\S{1,150}: (?:unexpected status code 401|UNAUTHORIZED: )|azurecr\.io.{0,400}?unauthorized: (?:authentication required|Application not registered|invalid username)",
            says="the registry refused the pull with 401 Unauthorized",
            sample='Failed to pull image "contoso.azurecr.io/cart:v9": rpc error: code = Unknown desc = failed to pull and unpack image "contoso.azurecr.io/cart:v9": failed to resolve reference "contoso.azurecr.io/cart:v9": failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized',
            near_miss='failed to resolve reference "contoso.azurecr.io/cart:v9": failed to authorize: failed to fetch anonymous token: unexpected status: 403 Forbidden',
            weight=TYPICAL,
            # Helm signs in with what is stored where it runs.
            unless=r'(?:INSTALLATION|UPGRADE) FAILED|list of tags for repository oci://|could not download oci://|failed to perform "',
        ),
        Signature(
            pattern=r"^(?:Error: |ERROR: )?unauthorized: authentication required\b",
            says="a registry wants a sign-in",
            sample="unauthorized: authentication required",
            near_miss="authentication is required for this realm",
            weight=TYPICAL,
            vague=True,
        ),
    ),
    why="The kubelet identity has no AcrPull role on the registry, was replaced or removed from the scale set, or the pull secret or service principal that is used instead has expired.",
    remedy=(
        Step(
            "See whether the cluster may pull.",
            run=(
                "az",
                "aks",
                "check-acr",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--acr",
                "<registry>.azurecr.io",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the kubelet identity the right to pull.",
            run=(
                "az",
                "aks",
                "update",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--attach-acr",
                "<registry>",
            ),
            verify="az aks check-acr ends with 'Your cluster can pull images from <registry>.azurecr.io!'",
        ),
        Step("If the pod uses imagePullSecrets, make that secret again with a valid password."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/cannot-pull-image-from-acr-to-aks-cluster",
        "https://learn.microsoft.com/azure/aks/cluster-container-registry-integration",
    ),
    leads_to=("kubernetes.image_pull_failed",),
    ask="az aks check-acr --resource-group {resource_group} --name {cluster} --acr <registry>.azurecr.io",
)
