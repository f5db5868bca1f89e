"""Keeps one of what many pods have in common, so that a large cluster fits into memory.

A pod repeats most of its siblings: labels, containers, tolerations, conditions. Parts that are
equal are made the same object; nothing that a rule reads changes.
"""

import sys
from typing import Any, TypeVar

from msgspec.structs import replace

from sickbay.model.kubernetes import Container, Pod

T = TypeVar("T")


class Shared:
    """What has been seen so far, each once."""

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}

    def pod(self, pod: Pod) -> Pod:
        """The same pod, made of parts that others have too."""
        metadata, spec, status = pod.metadata, pod.spec, pod.status
        return Pod(
            metadata=replace(
                metadata,
                # Manifests leave out the default one.
                namespace=sys.intern(metadata.namespace or "default"),
                labels=self._words(metadata.labels),
                annotations=self._words(metadata.annotations),
                owner_references=self._list(metadata.owner_references),
                creation_timestamp=self._one(metadata.creation_timestamp),
            ),
            spec=replace(
                spec,
                node_name=self._one(spec.node_name),
                containers=self._containers(spec.containers),
                node_selector=self._words(spec.node_selector),
                tolerations=self._list(spec.tolerations),
                volumes=self._list(spec.volumes),
                dns_policy=self._one(spec.dns_policy),
                service_account_name=self._one(spec.service_account_name),
            ),
            status=replace(
                status,
                phase=self._one(status.phase),
                start_time=self._one(status.start_time),
                conditions=self._list(status.conditions),
                host_ip=self._one(status.host_ip),
                # One address is told by `podIP` already.
                pod_ips=status.pod_ips
                if len(status.pod_ips or ()) > 1 or not status.pod_ip
                else None,
                container_statuses=self._list(status.container_statuses),
            ),
        )

    def _one(self, value: T) -> T:
        kept: T = self._kept.setdefault(value, value)
        return kept

    def _words(self, words: dict[str, str] | None) -> dict[str, str] | None:
        return self._kept.setdefault(tuple(words.items()), words) if words else words

    def _list(self, parts: list[T] | None) -> list[T] | None:
        """A list like one that is known, or else this one, of parts that are known."""
        if not parts:
            return parts
        key = tuple(parts)
        kept: list[T] | None = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = [self._one(part) for part in parts]
        return kept

    def _containers(self, containers: list[Container]) -> list[Container]:
        key = tuple(_key(container) for container in containers)
        kept: list[Container] = self._kept.setdefault(key, containers)
        return kept


def _key(container: Container) -> tuple[object, ...]:
    """What a container is, in a form that can be looked up."""
    resources = container.resources
    return (
        container.name,
        container.image,
        tuple((resources.requests or {}).items()) if resources else None,
        tuple((resources.limits or {}).items()) if resources else None,
        tuple(container.ports or ()),
        tuple(variable for variable in container.env or () if variable.value_from),
        tuple(container.env_from or ()),
        container.liveness_probe,
        container.readiness_probe,
        container.startup_probe,
        container.security_context,
        container.restart_policy,
        container.lifecycle,
    )
