"""Which kinds of a cluster are read: one table, those that rules know, and where they are served.

What a cluster serves is found by discovery; a kind that it does not serve has no objects there.
"""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from sickbay.collect.kube_answers import Answer, Failure
from sickbay.collect.kube_client import JSON, Client
from sickbay.record import NamedTuple

ASO: Final = "aso"
_GATEWAY: Final = "gateway.networking.k8s.io"
_POLICY: Final = "policy.networking.k8s.io"
_RBAC: Final = "rbac.authorization.k8s.io"
# Group, resource and kind. What most faults are seen by stands first, and is read first.
TABLE: Final[tuple[tuple[str, str, str], ...]] = (
    ("", "pods", "Pod"),
    ("", "nodes", "Node"),
    ("", "events", "Event"),
    ("", "namespaces", "Namespace"),
    ("", "services", "Service"),
    ("discovery.k8s.io", "endpointslices", "EndpointSlice"),
    ("apps", "deployments", "Deployment"),
    ("apps", "replicasets", "ReplicaSet"),
    ("apps", "statefulsets", "StatefulSet"),
    ("apps", "daemonsets", "DaemonSet"),
    ("batch", "jobs", "Job"),
    ("batch", "cronjobs", "CronJob"),
    ("", "persistentvolumeclaims", "PersistentVolumeClaim"),
    ("", "persistentvolumes", "PersistentVolume"),
    ("storage.k8s.io", "storageclasses", "StorageClass"),
    ("storage.k8s.io", "volumeattachments", "VolumeAttachment"),
    ("storage.k8s.io", "csinodes", "CSINode"),
    ("", "configmaps", "ConfigMap"),
    ("", "secrets", "Secret"),
    ("", "serviceaccounts", "ServiceAccount"),
    ("", "resourcequotas", "ResourceQuota"),
    ("", "limitranges", "LimitRange"),
    ("scheduling.k8s.io", "priorityclasses", "PriorityClass"),
    ("node.k8s.io", "runtimeclasses", "RuntimeClass"),
    ("", "endpoints", "Endpoints"),
    ("autoscaling", "horizontalpodautoscalers", "HorizontalPodAutoscaler"),
    ("policy", "poddisruptionbudgets", "PodDisruptionBudget"),
    ("networking.k8s.io", "ingresses", "Ingress"),
    ("networking.k8s.io", "ingressclasses", "IngressClass"),
    ("networking.k8s.io", "networkpolicies", "NetworkPolicy"),
    (_RBAC, "roles", "Role"),
    (_RBAC, "rolebindings", "RoleBinding"),
    (_RBAC, "clusterroles", "ClusterRole"),
    (_RBAC, "clusterrolebindings", "ClusterRoleBinding"),
    (
        "admissionregistration.k8s.io",
        "validatingwebhookconfigurations",
        "ValidatingWebhookConfiguration",
    ),
    (
        "admissionregistration.k8s.io",
        "mutatingwebhookconfigurations",
        "MutatingWebhookConfiguration",
    ),
    ("apiregistration.k8s.io", "apiservices", "APIService"),
    ("apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition"),
    (_POLICY, "adminnetworkpolicies", "AdminNetworkPolicy"),
    (_POLICY, "baselineadminnetworkpolicies", "BaselineAdminNetworkPolicy"),
    (_POLICY, "clusternetworkpolicies", "ClusterNetworkPolicy"),
    ("cilium.io", "ciliumnetworkpolicies", "CiliumNetworkPolicy"),
    ("cilium.io", "ciliumclusterwidenetworkpolicies", "CiliumClusterwideNetworkPolicy"),
    ("projectcalico.org", "networkpolicies", "NetworkPolicy"),
    ("projectcalico.org", "globalnetworkpolicies", "GlobalNetworkPolicy"),
    ("crd.projectcalico.org", "networkpolicies", "NetworkPolicy"),
    ("crd.projectcalico.org", "globalnetworkpolicies", "GlobalNetworkPolicy"),
    (_GATEWAY, "gatewayclasses", "GatewayClass"),
    (_GATEWAY, "gateways", "Gateway"),
    (_GATEWAY, "httproutes", "HTTPRoute"),
    (_GATEWAY, "grpcroutes", "GRPCRoute"),
    (_GATEWAY, "tcproutes", "TCPRoute"),
    (_GATEWAY, "referencegrants", "ReferenceGrant"),
    ("networking.istio.io", "gateways", "Gateway"),
    ("serving.knative.dev", "services", "Service"),
    ("cert-manager.io", "certificates", "Certificate"),
    ("cert-manager.io", "issuers", "Issuer"),
    ("cert-manager.io", "clusterissuers", "ClusterIssuer"),
    ("acme.cert-manager.io", "challenges", "Challenge"),
    ("keda.sh", "scaledobjects", "ScaledObject"),
    ("keda.sh", "triggerauthentications", "TriggerAuthentication"),
    ("secrets-store.csi.x-k8s.io", "secretproviderclasses", "SecretProviderClass"),
    ("argoproj.io", "applications", "Application"),
    ("metrics.k8s.io", "nodes", "NodeMetrics"),
)
# Of these the names are enough, or more than we want to hold: an object's contents are not asked
# for.
NAMES_ONLY: Final = frozenset({"Secret", "ConfigMap", "CustomResourceDefinition"})
_DISCOVERY: Final = ",".join(
    [f"{JSON};g=apidiscovery.k8s.io;v={v};as=APIGroupDiscoveryList" for v in ("v2", "v2beta1")]
    + [JSON]
)


class Kind(NamedTuple):
    """A kind that a cluster serves."""

    group: str
    version: str
    resource: str
    kind: str
    is_namespaced: bool
    # As the snapshot calls it: kinds of the same name are told apart by their group.
    known: str

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def dotted(self) -> str:
        """The resource as kubectl and RBAC name it."""
        return f"{self.resource}.{self.group}" if self.group else self.resource

    def path(self, namespace: str = "") -> str:
        """Where its objects are listed."""
        root = f"/apis/{self.api_version}" if self.group else f"/api/{self.version}"
        inside = f"/namespaces/{namespace}" if namespace and self.is_namespaced else ""
        return f"{root}{inside}/{self.resource}"


class Served(NamedTuple):
    """What a cluster serves of what we read, what of it there is none of, and what is untold."""

    kinds: tuple[Kind, ...]
    absent: tuple[str, ...]
    failures: tuple[Failure, ...] = ()


class _Response(msgspec.Struct, frozen=True, rename="camel"):
    kind: str = ""


class _Resource(msgspec.Struct, frozen=True, rename="camel"):
    resource: str = ""
    response_kind: _Response = _Response()
    scope: str = ""
    verbs: list[str] = []
    # As the older form of discovery says it.
    name: str = ""
    kind: str = ""
    namespaced: bool = False

    def in_new_form(self) -> "_Resource":
        scope = "Namespaced" if self.namespaced else "Cluster"
        return _Resource(self.name, _Response(self.kind), scope, self.verbs)


class _Version(msgspec.Struct, frozen=True, rename="camel"):
    version: str = ""
    resources: list[_Resource] = []
    freshness: str = ""
    group_version: str = ""


class _Metadata(msgspec.Struct, frozen=True, rename="camel"):
    name: str = ""


class _Group(msgspec.Struct, frozen=True, rename="camel"):
    metadata: _Metadata = _Metadata()
    versions: list[_Version] = []
    name: str = ""


class _Groups(msgspec.Struct, frozen=True, rename="camel"):
    items: list[_Group] | None = None
    groups: list[_Group] | None = None


class _Listed(msgspec.Struct, frozen=True, rename="camel"):
    resources: list[_Resource] = []


def is_aso(group: str) -> bool:
    """Whether a group can be one of Azure Service Operator."""
    return group.endswith(".azure.com") and not group.endswith(".kubernetes.azure.com")


async def discover(client: Client) -> Served | Failure:
    """Find out what a cluster serves, in its own order of preference."""
    groups: list[_Group] = []
    failures: list[Failure] = []
    for root in ("/api", "/apis"):
        answer = await client.get(root, accept=_DISCOVERY)
        if isinstance(answer, Failure):
            return answer
        listed = _decoded(answer, _Groups)
        if listed.items is not None:
            groups += listed.items
        else:
            groups += [one async for one in _old_form(client, root, listed, failures)]
    return _served(groups, tuple(failures))


async def _old_form(client: Client, root: str, listed: _Groups, failures: list[Failure]) -> Any:
    """The groups of a server that tells them one by one."""
    core = _Group(versions=[_Version(group_version="v1", version="v1")])
    for group in [core] if root == "/api" else listed.groups or []:
        if not _is_wanted(group.name):
            continue
        versions = []
        for version in group.versions:
            answer = await client.get(f"{root}/{version.group_version}")
            if isinstance(answer, Failure):
                failures.append(answer)
                continue
            found = [one.in_new_form() for one in _decoded(answer, _Listed).resources]
            versions.append(_Version(version.version, found))
        yield _Group(_Metadata(group.name), versions)


def _is_wanted(group: str) -> bool:
    return is_aso(group) or any(group == row[0] for row in TABLE)


def _served(groups: list[_Group], failures: tuple[Failure, ...]) -> Served:
    by_name = {group.metadata.name: group for group in groups}
    kinds: list[Kind] = []
    absent: list[str] = []
    for group, resource, kind in TABLE:
        found = next(_offers(by_name.get(group), resource), None)
        if found is not None:
            # Calico serves one kind by two groups.
            kinds += [found] if all(kind.known != found.known for kind in kinds) else []
        elif not any(f"/{group}/" in failure.path for failure in failures):
            absent.append(_known(kind, f"{group}/v1" if group else "v1"))
    if any(kind.known == "EndpointSlice" for kind in kinds):
        # The older form of the same knowledge.
        kinds = [kind for kind in kinds if kind.known != "Endpoints"]
    kinds += [kind for group in groups if is_aso(group.metadata.name) for kind in _all(group)]
    is_stale = any(v.freshness == "Stale" for g in groups for v in g.versions)
    is_known = {kind.known for kind in kinds}
    none = tuple(name for name in absent if name not in is_known and not is_stale)
    return Served(tuple(kinds), none, failures)


def _offers(group: _Group | None, resource: str = "") -> Iterator[Kind]:
    """Where a resource is served, the preferred version first."""
    if group is None:
        return
    name = group.metadata.name
    for version in group.versions:
        for one in version.resources:
            is_listed = "list" in one.verbs and "/" not in one.resource
            if is_listed and resource in ("", one.resource):
                kind = one.response_kind.kind
                known = _known(kind, f"{name}/{version.version}" if name else version.version)
                scoped = one.scope == "Namespaced"
                yield Kind(name, version.version, one.resource, kind, scoped, known)


def _all(group: _Group) -> list[Kind]:
    """Every resource of a group, once, in the version that the server prefers."""
    found: dict[str, Kind] = {}
    for kind in _offers(group):
        found.setdefault(kind.resource, kind)
    return list(found.values())


def _known(kind: str, api_version: str) -> str:
    from sickbay.model.kinds import kube_class  # noqa: PLC0415 - slow to import

    return kube_class(kind, api_version).kind or kind


def _decoded(answer: Answer, form: type[Any]) -> Any:
    try:
        return msgspec.json.decode(answer.body, type=form)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return form()
