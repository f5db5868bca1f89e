"""The few fields by which a first look at a cluster tells what deserves a second one."""

from typing import Any, Final

import msgspec


class Seed(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """A part of an object."""


class Metadata(Seed, frozen=True, gc=False):
    name: str = ""
    namespace: str = ""
    uid: str = ""
    labels: dict[str, str] | None = None
    owner_references: list["Owner"] | None = None
    creation_timestamp: str = ""
    deletion_timestamp: str | None = None


class Owner(Seed, frozen=True, gc=False):
    kind: str = ""
    name: str = ""


class Object(Seed, frozen=True, gc=False):
    metadata: Metadata = Metadata()


class State(Seed, frozen=True, gc=False):
    reason: str | None = None
    started_at: str | None = None
    exit_code: int | None = None


class States(Seed, frozen=True, gc=False):
    waiting: State | None = None
    running: State | None = None
    terminated: State | None = None


class Status(Seed, frozen=True, gc=False):
    """How a container fares."""

    name: str = ""
    ready: bool | None = None
    restart_count: int | None = None
    state: States | None = None
    last_state: States | None = None


class DeviceClaim(Seed, frozen=True, gc=False):
    name: str = ""


class PodSpec(Seed, frozen=True, gc=False):
    node_name: str | None = None
    resource_claims: list[DeviceClaim] | None = None
    scheduler_name: str | None = None


class PodStatus(Seed, frozen=True, gc=False):
    phase: str | None = None
    conditions: list["Condition"] | None = None
    container_statuses: list[Status] | None = None
    init_container_statuses: list[Status] | None = None


class Pod(Object, frozen=True, gc=False):
    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()

    @property
    def workload(self) -> str:
        """What all pods of one making share."""
        owners = self.metadata.owner_references or ()
        owner = owners[0].name if owners else self.metadata.name
        return f"{self.metadata.namespace}/{owner}"

    @property
    def is_unseen(self) -> bool:
        """Whether the scheduler of the cluster has neither placed it nor said why not."""
        is_ours = self.spec.scheduler_name in (None, "default-scheduler")
        is_waiting = self.status.phase == "Pending" and not self.spec.node_name
        # One that waits for a claim of a device is not shown to the scheduler yet.
        is_shown = not self.spec.resource_claims
        return is_ours and is_waiting and is_shown and not self.status.conditions

    @property
    def statuses(self) -> list[Status]:
        status = self.status
        return [*(status.init_container_statuses or ()), *(status.container_statuses or ())]


class SecretName(Seed, frozen=True, gc=False):
    name: str | None = None
    secret_name: str | None = None


class ValueFrom(Seed, frozen=True, gc=False):
    secret_key_ref: SecretName | None = None


class Variable(Seed, frozen=True, gc=False):
    value_from: ValueFrom | None = None


class VariablesFrom(Seed, frozen=True, gc=False):
    secret_ref: SecretName | None = None


class Container(Seed, frozen=True, gc=False):
    env: list[Variable] | None = None
    env_from: list[VariablesFrom] | None = None


class Volume(Seed, frozen=True, gc=False):
    secret: SecretName | None = None


class UserSpec(Seed, frozen=True, gc=False):
    containers: list[Container] | None = None
    init_containers: list[Container] | None = None
    volumes: list[Volume] | None = None


class SecretUser(Seed, frozen=True, gc=False):
    """Which secrets a pod asks for; decoded only of pods that wait for something."""

    spec: UserSpec = UserSpec()

    def secrets(self) -> set[str]:
        """The names of the secrets."""
        spec = self.spec
        found = [volume.secret for volume in spec.volumes or ()]
        for container in [*(spec.init_containers or ()), *(spec.containers or ())]:
            found += [v.value_from.secret_key_ref for v in container.env or () if v.value_from]
            found += [source.secret_ref for source in container.env_from or ()]
        return {one.name or one.secret_name or "" for one in found if one} - {""}


class Condition(Seed, frozen=True, gc=False):
    type: str = ""
    status: str = ""


class NodeSpec(Seed, frozen=True, gc=False):
    provider_id: str | None = msgspec.field(default=None, name="providerID")


class NodeStatus(Seed, frozen=True, gc=False):
    conditions: list[Condition] | None = None


class Node(Object, frozen=True, gc=False):
    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()

    @property
    def is_ready(self) -> bool:
        known = self.status.conditions or ()
        return any(one.type == "Ready" and one.status == "True" for one in known)

    @property
    def is_suspect(self) -> bool:
        """Not ready, or with one of the conditions that are False when all is well."""
        known = self.status.conditions or ()
        return not self.is_ready or any(
            one.status == "True" for one in known if one.type != "Ready"
        )


class Named(Seed, frozen=True, gc=False):
    """All that is kept of an object whose contents are none of our business."""

    metadata: "NamedMetadata | None" = None


class NamedMetadata(Seed, frozen=True, gc=False):
    name: str = ""
    namespace: str | None = None
    uid: str | None = None
    labels: dict[str, str] | None = None
    # A manifest that was applied stands here once more, with the values of a secret.
    annotations: dict[str, str] | None = None
    owner_references: list[dict[str, object]] | None = None
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    finalizers: list[str] | None = None
    resource_version: str | None = None


class PageMetadata(Seed, frozen=True, gc=False):
    continue_: str | None = msgspec.field(default=None, name="continue")


class Page(Seed, frozen=True, gc=False):
    """A page of a list; its items stay encoded."""

    metadata: PageMetadata = PageMetadata()
    items: list[msgspec.Raw] | None = None


PAGE: Final = msgspec.json.Decoder(Page)
OBJECT: Final = msgspec.json.Decoder(Object)
POD: Final = msgspec.json.Decoder(Pod)
NODE: Final = msgspec.json.Decoder(Node)
SECRET_USER: Final = msgspec.json.Decoder(SecretUser)
NAMED: Final = msgspec.json.Decoder(Named)
_KEPT: Final = ("meta.helm.sh/", "serviceoperator.azure.com/", "kubernetes.io/service-account")


def named_only(raw: msgspec.Raw, api_version: str, kind: str) -> dict[str, Any]:
    """An object by its name alone, whatever the server sent along."""
    found = NAMED.decode(raw)
    metadata = msgspec.to_builtins(found.metadata or NamedMetadata())
    annotations = metadata.get("annotations") or {}
    kept = {key: value for key, value in annotations.items() if key.startswith(_KEPT)}
    clean = {key: value for key, value in metadata.items() if value is not None}
    body = {"apiVersion": api_version, "kind": kind}
    return {**body, "metadata": {**clean, "annotations": kept}}
