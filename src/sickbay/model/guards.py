"""Kubernetes objects that let others pass or not: namespaces, quotas, webhooks, served APIs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec.structs import force_setattr

from sickbay.model.entity import KubeEntity, Said, Shape
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Condition, condition_of

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


# What the autoscaler says of itself, and why it could not add nodes.
_AUTOSCALER: Final = "cluster-autoscaler-status"
_READ_BY_EVALUATORS: Final = ("coredns", _AUTOSCALER)
_COMPLAINT: Final = "errorMessage:"


class NamespaceStatus(Shape, frozen=True, gc=False):
    phase: str | None = None
    conditions: list[Condition] | None = None


class Namespace(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Namespace"
    look: ClassVar[str] = "kubectl get namespaces -o json"

    status: NamespaceStatus = NamespaceStatus()


class ConfigMap(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "ConfigMap"
    look: ClassVar[str] = "kubectl get configmaps -A -o json"

    # Only of those that evaluators read: the rest of a cluster's maps can be large.
    data: dict[str, str] | None = None
    # The names of all its entries; None where nobody looked.
    keys: list[str] | None = None

    def __post_init__(self) -> None:
        if self.data is not None and not self.name.startswith(_READ_BY_EVALUATORS):
            force_setattr(self, "data", None)

    def said(self) -> Iterator[Said]:
        status = (self.data or {}).get("status", "") if self.name == _AUTOSCALER else ""
        for line in status.splitlines():
            if _COMPLAINT in line:
                yield Said("data.status", line.partition(_COMPLAINT)[2].strip().strip("'\""))


class QuotaStatus(Shape, frozen=True, gc=False):
    hard: dict[str, str | int | float] | None = None
    used: dict[str, str | int | float] | None = None


class ResourceQuota(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "ResourceQuota"
    look: ClassVar[str] = "kubectl get resourcequota -A -o json"

    status: QuotaStatus = QuotaStatus()


class PriorityClass(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "PriorityClass"
    look: ClassVar[str] = "kubectl get priorityclasses -o json"


class RuntimeClass(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "RuntimeClass"
    look: ClassVar[str] = "kubectl get runtimeclasses -o json"


class Limit(Shape, frozen=True, gc=False):
    """The bounds for one kind of thing: containers, pods or claims."""

    type: str = ""
    max: dict[str, str | int | float] | None = None
    min: dict[str, str | int | float] | None = None
    default: dict[str, str | int | float] | None = None
    default_request: dict[str, str | int | float] | None = None


class LimitRangeSpec(Shape, frozen=True, gc=False):
    limits: list[Limit] | None = None


class LimitRange(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "LimitRange"
    look: ClassVar[str] = "kubectl get limitranges -A -o json"

    spec: LimitRangeSpec = LimitRangeSpec()


class WebhookService(Shape, frozen=True, gc=False):
    namespace: str = ""
    name: str = ""


class WebhookClient(Shape, frozen=True, gc=False):
    service: WebhookService | None = None
    url: str | None = None


class Webhook(Shape, frozen=True, gc=False):
    name: str = ""
    client_config: WebhookClient | None = None
    failure_policy: str | None = None

    @property
    def blocks(self) -> bool:
        """Whether a call that fails refuses the request; Fail is the default."""
        return (self.failure_policy or "Fail") == "Fail"


class WebhookConfiguration(KubeEntity, frozen=True, gc=False):
    """What mutating and validating webhook configurations share."""

    webhooks: list[Webhook] | None = None

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        for webhook in self.webhooks or ():
            service = webhook.client_config.service if webhook.client_config else None
            if service:
                yield kube("Service", service.namespace, service.name)


class ValidatingWebhookConfiguration(WebhookConfiguration, frozen=True, gc=False):
    kind: ClassVar[str] = "ValidatingWebhookConfiguration"
    look: ClassVar[str] = "kubectl get validatingwebhookconfigurations -o json"


class MutatingWebhookConfiguration(WebhookConfiguration, frozen=True, gc=False):
    kind: ClassVar[str] = "MutatingWebhookConfiguration"
    look: ClassVar[str] = "kubectl get mutatingwebhookconfigurations -o json"


class ServedBy(Shape, frozen=True, gc=False):
    service: WebhookService | None = None


class ServedStatus(Shape, frozen=True, gc=False):
    conditions: list[Condition] | None = None


class APIService(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "APIService"
    look: ClassVar[str] = "kubectl get apiservices -o json"

    spec: ServedBy = ServedBy()
    status: ServedStatus = ServedStatus()

    @property
    def available(self) -> Condition | None:
        return condition_of(self.status.conditions, "Available")

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.spec.service:
            yield kube("Service", self.spec.service.namespace, self.spec.service.name)
