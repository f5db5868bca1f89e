"""Kubernetes objects of add-ons: cron jobs, event-driven scaling (KEDA) and cert-manager."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sickbay.model.entity import KubeEntity, Said, Shape
from sickbay.model.ids import Ref, kube
from sickbay.model.kubernetes import Condition, condition_of, conditions_said

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


class CronJobSpec(Shape, frozen=True, gc=False):
    schedule: str | None = None
    time_zone: str | None = None
    suspend: bool | None = None
    concurrency_policy: str | None = None
    starting_deadline_seconds: int | None = None


class CronJobStatus(Shape, frozen=True, gc=False):
    last_schedule_time: str | None = None
    last_successful_time: str | None = None


class CronJob(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "CronJob"
    look: ClassVar[str] = "kubectl get cronjobs -A -o json"

    spec: CronJobSpec = CronJobSpec()
    status: CronJobStatus = CronJobStatus()


class Conditions(Shape, frozen=True, gc=False):
    conditions: list[Condition] | None = None


class IssuerRef(Shape, frozen=True, gc=False):
    name: str = ""
    kind: str | None = None
    group: str | None = None


class CertificateSpec(Shape, frozen=True, gc=False):
    issuer_ref: IssuerRef = IssuerRef()
    secret_name: str | None = None
    dns_names: list[str] | None = None


class CertificateStatus(Shape, frozen=True, gc=False):
    conditions: list[Condition] | None = None
    not_after: str | None = None
    renewal_time: str | None = None


class CertManaged(KubeEntity, frozen=True, gc=False):
    """What the objects of cert-manager share."""

    group: ClassVar[str] = "cert-manager.io"

    status: Conditions = Conditions()

    @property
    def ready(self) -> Condition | None:
        return condition_of(self.status.conditions, "Ready")

    def said(self) -> Iterator[Said]:
        return conditions_said(self.status.conditions)


class Issuer(CertManaged, frozen=True, gc=False):
    kind: ClassVar[str] = "Issuer"
    look: ClassVar[str] = "kubectl get issuers -A -o json"


class ClusterIssuer(CertManaged, frozen=True, gc=False):
    kind: ClassVar[str] = "ClusterIssuer"
    look: ClassVar[str] = "kubectl get clusterissuers -o json"


class Certificate(KubeEntity, frozen=True, gc=False):
    """A certificate that cert-manager shall obtain and keep fresh."""

    kind: ClassVar[str] = "Certificate"
    group: ClassVar[str] = "cert-manager.io"
    look: ClassVar[str] = "kubectl get certificates -A -o json"

    spec: CertificateSpec = CertificateSpec()
    status: CertificateStatus = CertificateStatus()

    @property
    def ready(self) -> Condition | None:
        return condition_of(self.status.conditions, "Ready")

    @property
    def issuer(self) -> Ref:
        asked = self.spec.issuer_ref
        if asked.kind == "ClusterIssuer":
            return kube("ClusterIssuer", "", asked.name)
        return kube("Issuer", self.namespace, asked.name)

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        if self.spec.issuer_ref.name:
            yield self.issuer

    def said(self) -> Iterator[Said]:
        return conditions_said(self.status.conditions)


class ChallengeStatus(Shape, frozen=True, gc=False):
    state: str | None = None
    reason: str | None = None


class Challenge(KubeEntity, frozen=True, gc=False):
    """One proof of ownership that an ACME server asks for."""

    kind: ClassVar[str] = "Challenge"
    group: ClassVar[str] = "acme.cert-manager.io"
    look: ClassVar[str] = "kubectl get challenges -A -o json"

    status: ChallengeStatus = ChallengeStatus()

    def said(self) -> Iterator[Said]:
        if self.status.reason:
            yield Said("status.reason", f"{self.status.state or ''}: {self.status.reason}")


class Trigger(Shape, frozen=True, gc=False):
    type: str = ""
    metadata: dict[str, str] | None = None


class ScaleTargetName(Shape, frozen=True, gc=False):
    kind: str | None = None
    name: str = ""


class ScaledObjectSpec(Shape, frozen=True, gc=False):
    scale_target_ref: ScaleTargetName | None = None
    triggers: list[Trigger] | None = None


class ScaledObject(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "ScaledObject"
    group: ClassVar[str] = "keda.sh"
    look: ClassVar[str] = "kubectl get scaledobjects -A -o json"

    spec: ScaledObjectSpec = ScaledObjectSpec()
    status: Conditions = Conditions()

    def said(self) -> Iterator[Said]:
        return conditions_said(self.status.conditions)


class PodIdentity(Shape, frozen=True, gc=False):
    provider: str | None = None


class TriggerAuthenticationSpec(Shape, frozen=True, gc=False):
    pod_identity: PodIdentity | None = None


class TriggerAuthentication(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "TriggerAuthentication"
    group: ClassVar[str] = "keda.sh"
    look: ClassVar[str] = "kubectl get triggerauthentications -A -o json"

    spec: TriggerAuthenticationSpec = TriggerAuthenticationSpec()
