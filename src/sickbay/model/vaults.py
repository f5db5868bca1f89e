"""Azure resources that add-ons and volumes stand on: storage accounts, vaults, gateways."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sickbay.model.azure import Reference
from sickbay.model.entity import ArmEntity, AzureShape
from sickbay.model.ids import Ref, arm

if TYPE_CHECKING:
    from sickbay.model.snapshot import Snapshot


class NetworkRule(AzureShape, frozen=True, gc=False):
    """A subnet that may come in; `az` and REST call the id differently."""

    id: str | None = None
    virtual_network_resource_id: str | None = None

    @property
    def subnet(self) -> str:
        return self.id or self.virtual_network_resource_id or ""


class AddressRule(AzureShape, frozen=True, gc=False):
    """A public address or range that may come in; `az` and REST call it differently."""

    value: str | None = None
    ip_address_or_range: str | None = None

    @property
    def range(self) -> str:
        return self.ip_address_or_range or self.value or ""


class NetworkRules(AzureShape, frozen=True, gc=False):
    default_action: str | None = None
    bypass: str | None = None
    ip_rules: list[AddressRule] | None = None
    virtual_network_rules: list[NetworkRule] | None = None

    @property
    def subnet_keys(self) -> frozenset[str]:
        rules = self.virtual_network_rules or ()
        return frozenset(arm(rule.subnet).key for rule in rules if rule.subnet)


class LinkState(AzureShape, frozen=True, gc=False):
    status: str | None = None


class EndpointConnection(AzureShape, frozen=True, gc=False):
    """A private endpoint that asks for, or has, access."""

    private_endpoint: Reference | None = None
    private_link_service_connection_state: LinkState | None = None

    @property
    def is_approved(self) -> bool:
        state = self.private_link_service_connection_state
        return state is not None and (state.status or "").casefold() == "approved"


class Guarded(ArmEntity, frozen=True, gc=False):
    """A resource with a firewall of its own, and private endpoints past it."""

    public_network_access: str | None = None
    network_acls: NetworkRules | None = None
    # What `az storage account` calls the same.
    network_rule_set: NetworkRules | None = None
    private_endpoint_connections: list[EndpointConnection] | None = None

    @property
    def key(self) -> str:
        return self.name.casefold()

    @property
    def rules(self) -> NetworkRules | None:
        return self.network_acls or self.network_rule_set

    @property
    def is_private(self) -> bool:
        """Whether nobody comes in except through a private endpoint."""
        return (self.public_network_access or "").casefold() == "disabled"

    @property
    def denies_by_default(self) -> bool:
        rules = self.rules
        return rules is not None and (rules.default_action or "").casefold() == "deny"

    @property
    def has_private_endpoint(self) -> bool:
        return any(one.is_approved for one in self.private_endpoint_connections or ())

    @property
    def is_shut(self) -> bool:
        """Whether only networks that it names come in, if any."""
        return (self.is_private or self.denies_by_default) and not self.has_private_endpoint

    def shut_to(self, subnets: frozenset[str]) -> str:
        """Why it lets none of some subnets in, or an empty string; none means the nodes' own."""
        if not self.is_shut:
            return ""
        if self.is_private:
            return "public access is disabled, and it has no approved private endpoint"
        allowed = self.rules.subnet_keys if self.rules else frozenset[str]()
        if subnets & allowed or (allowed and not subnets):
            return ""
        return (
            "its firewall denies by default, and no subnet of the nodes is among the "
            f"{len(allowed)} that it allows"
        )


class StorageAccount(Guarded, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Storage/storageAccounts"
    look: ClassVar[str] = "az storage account list -o json"

    allow_shared_key_access: bool | None = None


class SmbSettings(AzureShape, frozen=True, gc=False):
    versions: str | None = None
    authentication_methods: str | None = None
    channel_encryption: str | None = None


class ProtocolSettings(AzureShape, frozen=True, gc=False):
    smb: SmbSettings | None = None


class FileService(ArmEntity, frozen=True, gc=False):
    """How a storage account lets SMB clients in."""

    kind: ClassVar[str] = "Microsoft.Storage/storageAccounts/fileServices"
    look: ClassVar[str] = (
        "az storage account file-service-properties show -n <account> -g <group> -o json"
    )

    protocol_settings: ProtocolSettings | None = None

    @property
    def account(self) -> str:
        return self.ref.parent.rpartition("/")[2]

    def links(self, snapshot: "Snapshot") -> Iterator[Ref]:  # noqa: ARG002
        yield arm(self.ref.parent)


class KeyVault(Guarded, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.KeyVault/vaults"
    look: ClassVar[str] = "az keyvault show -n <vault> -o json"

    enable_rbac_authorization: bool | None = None
    enable_purge_protection: bool | None = None


class ApplicationGateway(ArmEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "Microsoft.Network/applicationGateways"
    look: ClassVar[str] = "az network application-gateway list -o json"

    operational_state: str | None = None

    @property
    def is_stopped(self) -> bool:
        return (self.operational_state or "").casefold() == "stopped"
