"""Parts of the objects of Azure Service Operator that rules read."""

from sickbay.model.entity import Shape


class AsoOwner(Shape, frozen=True, gc=False):
    name: str | None = None


class AsoSpec(Shape, frozen=True, gc=False):
    """The part of a spec that every kind has."""

    azure_name: str | None = None
    owner: AsoOwner | None = None


class AsoCondition(Shape, frozen=True, gc=False):
    type: str = ""
    status: str = ""
    severity: str | None = None
    reason: str | None = None
    message: str | None = None
    last_transition_time: str | None = None
    observed_generation: int | None = None


class ConnectionState(Shape, frozen=True, gc=False):
    status: str | None = None
    description: str | None = None


class LinkConnection(Shape, frozen=True, gc=False):
    name: str | None = None
    private_link_service_connection_state: ConnectionState | None = None


class ProtectionStatus(Shape, frozen=True, gc=False):
    status: str | None = None


class AsoProperties(Shape, frozen=True, gc=False):
    provisioning_state: str | None = None
    protection_status: ProtectionStatus | None = None


class AsoStatus(Shape, frozen=True, gc=False):
    conditions: list[AsoCondition] | None = None
    provisioning_state: str | None = None
    state: str | None = None
    properties: AsoProperties | None = None
    manual_private_link_service_connections: list[LinkConnection] | None = None

    @property
    def azure_state(self) -> str:
        """The state of the resource in Azure, which types keep in different places."""
        inner = self.properties.provisioning_state if self.properties else None
        return self.provisioning_state or inner or self.state or ""
