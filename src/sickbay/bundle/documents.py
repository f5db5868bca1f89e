"""Turns documents into entities and the messages that they carry."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from sickbay.bundle.messages import messages
from sickbay.bundle.rivals import Claim, known_by_another_name, renamed, settle
from sickbay.bundle.shape import EVERYTHING, Form, flat
from sickbay.bundle.times import normal, time_in
from sickbay.bundle.tolerant import convert, decoded
from sickbay.model.entity import ArmEntity, Entity
from sickbay.model.evidence import Gap, Origin, Reason, Text
from sickbay.model.ids import Ref, arm, kube
from sickbay.model.kinds import arm_class, kube_class
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.sharing import Shared
from sickbay.model.workloads import Event

# Kinds that come by the hundred thousand are decoded from bytes, field by field that a rule reads.
_TYPED: Final[dict[str, type[Pod] | type[Node] | type[Event]]] = {
    "Pod": Pod,
    "Node": Node,
    "Event": Event,
}


_HOLDERS: Final = ("ConfigMap", "Secret")
_HELD: Final = ("data", "stringData", "binaryData")
# Kinds that have a namespace, of which manifests leave out the default one.
_NAMESPACED: Final = frozenset(
    "ConfigMap DaemonSet Deployment EndpointSlice Endpoints HorizontalPodAutoscaler Ingress Job "
    "NetworkPolicy PersistentVolumeClaim PodDisruptionBudget ReplicaSet ResourceQuota Role "
    "RoleBinding Service ServiceAccount StatefulSet".split()
)
_MACHINE: Final = "Microsoft.Compute/virtualMachineScaleSets/virtualMachines"
# Pools that a cluster shows inside itself.
_PROFILES: Final = ".agentPoolProfiles["


class Documents:
    """The entities of a snapshot in the making, each with the place that it was read from."""

    def __init__(self, say: Callable[[Text], None], gap: Callable[[Gap], None]) -> None:
        self._say = say
        self._gap = gap
        self._claims: dict[Ref, Claim] = {}
        self._rivals: dict[Ref, list[Claim]] = {}
        self._shared = Shared()

    def arm(self, body: dict[str, Any], origin: Origin) -> Ref:
        """Take an Azure resource, as REST or as `az` prints it."""
        ref = arm(str(body.get("id", "")))
        if ref.kind == _MACHINE and (machine := _well(body)):
            self.entity(machine, origin)
            return ref
        cls, form = _decoding(ref.kind)
        entity = self._decoded(flat(body, form), cls, origin)
        if entity is not None:
            self.entity(entity, origin)
        for place, message in messages(body, origin.locator or "$"):
            about = _pool_at(place, body, ref) if _PROFILES in place else ref
            self._say(
                Text(message, Origin(origin.source, place), about, "condition", _dated(message))
            )
        return ref

    def kube(self, body: dict[str, Any], origin: Origin) -> None:
        """Take a Kubernetes object."""
        kind, version = str(body.get("kind", "")), str(body.get("apiVersion", ""))
        # An event of the audit log shares only its name with an event about an object.
        if kind in _TYPED and not version.startswith("audit."):
            self.kube_raw(kind, msgspec.json.encode(body), origin)
            return
        cls = kube_class(kind, version)
        entity = self._decoded(_placed(_keyed(body, kind), kind), cls, origin)
        if entity is None:
            return
        self.entity(entity, origin)
        place = f"{origin.locator or '$'}.status"
        for path, message in messages(body.get("status"), place):
            self._say(Text(message, Origin(origin.source, path), entity.ref, "condition"))
        if kind == "ConfigMap":
            # What is written in a map is about the cluster, and not about the map.
            self._hear(entity, origin, None)

    def kube_raw(self, kind: str, raw: bytes | msgspec.Raw, origin: Origin) -> None:
        """Take a Kubernetes object of a frequent kind, still encoded."""
        cls = _TYPED.get(kind)
        if cls is None:
            body = decoded(bytes(raw))
            self.kube({"kind": kind, **(body if isinstance(body, dict) else {})}, origin)
            return
        try:
            entity = _decoder(cls).decode(raw)
        except msgspec.DecodeError:
            entity = self._decoded(decoded(bytes(raw)), cls, origin)
            if entity is None:
                return
        if isinstance(entity, Event):
            self._event(entity, origin)
            return
        if isinstance(entity, Pod):
            entity = self._shared.pod(entity)
        self.entity(entity, origin)
        self._hear(entity, origin, entity.ref)

    def _hear(self, entity: Entity, origin: Origin, about: Ref | None) -> None:
        for said in entity.said():
            where = Origin(origin.source, f"{origin.locator}.{said.path}")
            self._say(Text(said.text, where, about, "condition", normal(said.at)))

    def entity(self, entity: Entity, origin: Origin, at: str = "") -> None:
        """Take a decoded entity; several of one thing are settled when all are known.

        What a document holds inside itself is as old as the document.
        """
        ref = entity.ref
        written = entity.modified_at
        # Kubernetes counts versions, Azure writes times.
        if written:
            at = written if written.isdigit() else normal(written) or written
        claim = Claim(entity, origin, at)
        known = self._claims.get(ref)
        if known is None:
            self._claims[ref] = claim
        elif known.entity == entity and known.at == at:
            self._claims[ref] = min(known, claim, key=lambda one: one.origin)
        else:
            self._rivals.setdefault(ref, []).append(claim)
        for child in entity.children():
            place = Origin(origin.source, f"{origin.locator}/{child.ref.name}")
            self.entity(child, place, at)

    @property
    def entities(self) -> dict[Ref, Entity]:
        """The entities, one for each thing."""
        self._settle()
        # Answers of Azure come in any order.
        pairs = [(ref, claim.entity) for ref, claim in self._claims.items()]
        ours = sorted((pair for pair in pairs if pair[0].is_arm), key=lambda pair: pair[0].key)
        return dict([*ours, *(pair for pair in pairs if not pair[0].is_arm)])

    @property
    def origins(self) -> dict[Ref, Origin]:
        """Where each entity was read."""
        self._settle()
        return {ref: claim.origin for ref, claim in self._claims.items()}

    def _settle(self) -> None:
        for stand_in, ref in known_by_another_name(self._claims):
            told, rest = self._claims.pop(stand_in), self._rivals.pop(stand_in, [])
            if ref not in self._claims:
                self._claims[ref] = renamed(told, ref)
            else:
                rest = [told, *rest]
            if rest:
                self._rivals.setdefault(ref, []).extend(rest)
        for ref, others in sorted(self._rivals.items(), key=lambda item: item[0].key):
            settled = settle([self._claims[ref], *others])
            self._claims[ref] = settled.claim
            if settled.gap:
                self._gap(settled.gap)
        self._rivals = {}

    def _event(self, event: Event, origin: Origin) -> None:
        about = event.involved_object or event.regarding
        message = event.message or event.note
        if about is None or not message:
            return
        series = event.series
        at = (series and series.last_observed_time) or event.last_timestamp or event.event_time
        times = (series and series.count) or event.count or event.deprecated_count or 1
        self._say(
            Text(
                f"{event.reason}: {message}",
                Origin(origin.source, f"{origin.locator}.message"),
                kube(about.kind, about.namespace, about.name),
                "event",
                normal(at or ""),
                times,
                normal(event.first_timestamp or event.event_time or ""),
            )
        )

    def _decoded(self, body: Any, cls: type[Any], origin: Origin) -> Any:
        value, problems = convert(body, cls)
        for problem in problems:
            what = f"{origin.locator or '$'}: {problem}"
            # The rest still counts, but that member was not looked at.
            self._gap(Gap(origin.source, what, Reason.MALFORMED, asked_for=True))
        return value


def _well(body: dict[str, Any]) -> ArmEntity | None:
    """A machine that is well; it has nothing to say."""
    from sickbay.bundle.well import well  # noqa: PLC0415 - few folders have machines

    return well(body)


def _pool_at(place: str, body: dict[str, Any], ref: Ref) -> Ref:
    """The pool that a message inside the document of its cluster is about."""
    inner = body.get("properties")
    holder = inner if isinstance(inner, dict) else body
    pools = holder.get(_PROFILES.strip(".["))
    number = place.partition(_PROFILES)[2].partition("]")[0]
    if not isinstance(pools, list) or not number.isdecimal() or int(number) >= len(pools):
        return ref
    pool = pools[int(number)]
    name = pool.get("name") if isinstance(pool, dict) else None
    return arm(f"{ref.id}/agentPools/{name}") if isinstance(name, str) and name else ref


def _dated(message: str) -> str:
    """When an error body says that it happened; a time in a sentence may be any time."""
    return time_in(message) if message.startswith("{") else ""


@lru_cache(maxsize=1024)
def _decoding(kind: str) -> tuple[type[ArmEntity], Form]:
    """The class of an ARM type, and what it reads."""
    cls = arm_class(kind)
    return cls, _form(cls)


def _form(cls: type[Any]) -> Form:
    """The members that a class reads; the rest of a document need not be brought into shape."""
    found = _FORMS.get(cls)
    if found is None:
        # Noted before it is filled: an error holds errors.
        members: dict[str, Form] = {}
        found = _FORMS[cls] = Form(members)
        hints = get_type_hints(cls)
        for field in msgspec.structs.fields(cls):
            inner = _part(hints[field.name])
            members[field.encode_name] = _form(inner) if inner else EVERYTHING
    return found


def _part(hint: Any) -> type[Any] | None:
    """The class that decodes a member, or the items of a list; None where the keys are anything."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint
    if get_origin(hint) is dict:
        return None
    parts = [part for part in map(_part, get_args(hint)) if part]
    return parts[0] if len(parts) == 1 else None


_FORMS: Final[dict[type[Any], Form]] = {}


def _decoder(cls: type[Any]) -> Any:
    decoder = _DECODERS.get(cls)
    if decoder is None:
        decoder = _DECODERS[cls] = msgspec.json.Decoder(cls)
    return decoder


_DECODERS: Final[dict[type[Any], Any]] = {}


def _keyed(body: dict[str, Any], kind: str) -> dict[str, Any]:
    """A map or secret with the names of its entries; no value of a secret goes further."""
    held = [body.get(member) for member in _HELD]
    if kind not in _HOLDERS or "keys" in body or not any(isinstance(one, dict) for one in held):
        return body
    keys = sorted({str(key) for one in held if isinstance(one, dict) for key in one})
    left = body if kind == "ConfigMap" else {k: v for k, v in body.items() if k not in _HELD}
    return {**left, "keys": keys}


def _placed(body: dict[str, Any], kind: str) -> dict[str, Any]:
    """The object with its namespace written out."""
    metadata = body.get("metadata")
    if kind not in _NAMESPACED or not isinstance(metadata, dict) or metadata.get("namespace"):
        return body
    return {**body, "metadata": {**metadata, "namespace": "default"}}
