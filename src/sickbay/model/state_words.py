"""What the words mean that Azure has for states; a word that is not here means nothing to us.

Azure adds words without notice, so every list is open: what is unknown is `UNKNOWN`, and never
taken for health.
"""

from enum import StrEnum
from typing import Final

from sickbay.record import NamedTuple


class Standing(StrEnum):
    """How a thing stands, by its own words."""

    HEALTHY = "healthy"
    OFF = "off"  # at rest: stopped, disabled, cordoned; no fault unless something needs it
    CHANGING = "changing"
    UNSEEN = "unseen"  # something stands on it, and nobody read it
    UNKNOWN = "unknown"
    UNHEALTHY = "unhealthy"

    @property
    def weight(self) -> int:
        return _ORDER.index(self)


_ORDER: Final = tuple(Standing)


def worst(standings: "list[Standing]") -> Standing:
    """The worst of some; of none, that nothing is known."""
    return max(standings, key=lambda one: one.weight, default=Standing.UNKNOWN)


class Words(NamedTuple):
    """The words of one field, in lower case, and what a person calls the field."""

    title: str
    healthy: str
    unhealthy: str = ""
    changing: str = ""
    off: str = ""

    def standing(self, value: str) -> Standing:
        word = value.strip().casefold().replace(" ", "")
        for standing, words in (
            (Standing.HEALTHY, self.healthy),
            (Standing.UNHEALTHY, self.unhealthy),
            (Standing.CHANGING, self.changing),
            (Standing.OFF, self.off),
        ):
            if word in words.split():
                return standing
        # `failed/VMExtensionProvisioningError`, `NetworkProxyUpdateFailed`, `UpgradeFailedTo…`.
        return Standing.UNHEALTHY if _FAILED in word else Standing.UNKNOWN


_FAILED: Final = "failed"
_UNDER_WAY: Final = (
    "accepted created creating deleting deprovisioning inprogress installing migrating moving "
    "pending provisioning reconciling resolving running scaling starting stopping syncing "
    "terminating uninstalling unlinking updating upgrading upgradingnodeimageversion validating "
    "reconcilingclusteretcdcertificates rotatingclustercertificates "
    "reconcilingclusterserviceprincipalprofile reconcilingserviceprincipalprofile"
)
_POWERED: Final = ("running on vmrunning", "", "starting creating vmstarting updating")
_AT_REST: Final = "off stopped deallocated vmstopped vmdeallocated paused hibernated stopping"

PROVISIONING: Final = Words("provisioning", "succeeded", "failed canceled cancelled", _UNDER_WAY)
POWER: Final = Words("power", *_POWERED, f"{_AT_REST} deallocating vmstopping vmdeallocating")
HEALTH: Final = Words("health", "healthy", "unhealthy", "initializing")
AGENT: Final = Words("agent", "succeeded ready", "unavailable notready failed", "updating")
ARC_AGENT: Final = Words(
    "agent",
    "succeeded provisioned",
    "failed canceled",
    "accepted pending provisioning upgrading updating deleting",
)
READY: Final = Words("ready", "true", "false")
CONNECTION: Final = Words("connection", "approved", "pending rejected disconnected")

_CONNECTED: Final = ("connected", "offline expired agentnotinstalled disconnected", "connecting")

# The fields of documents that hold a state in one word.
FIELDS: Final[dict[str, Words]] = {
    "provisioning_state": PROVISIONING,
    "power_state": POWER,
    "connectivity_status": Words("connectivity", *_CONNECTED),
    "detailed_status": Words(
        "status",
        "available provisioned running installed succeeded enabled scheduled synced",
        "error failed degraded disconnected unschedulable outofspace",
        "accepted preparing pendingdeployment deploying provisioning updating updatepaused "
        "deleting deprovisioning installing uninstalling upgrading scheduling starting "
        "terminating stopping",
        "stopped deprovisioned",
    ),
    "administrative_state": Words(
        "administrative", "enabled", "enableddegraded rma", "mat undermaintenance", "disabled"
    ),
    "configuration_state": Words(
        "configuration",
        # A device whose configuration is handed to somebody else is as it should be.
        "succeeded provisioned deferredcontrol",
        "failed rejected errorprovisioning errordeprovisioning",
        "accepted provisioning deprovisioning pendingcommit pendingadministrativeupdate",
        "deprovisioned",
    ),
    "cluster_connection_status": Words("connection", "connected", "disconnected timeout"),
    "cluster_manager_connection_status": Words("manager", "connected", "unreachable disconnected"),
    "ready_state": READY,
    "cordon_status": Words("cordon", "uncordoned", "", "", "cordoned"),
    "status": Words(
        "status",
        "running connected upgradecomplete",
        "offline disconnected imageunknown upgradeclusterextensionfailedtodelete",
        "waitingforheartbeat waitforheartbeat validating connecting preparingforupgrade "
        "upgradeprerequisitescompleted validatingsfsconnectivity validatingimagedownload "
        "validatingimageupload validatingetcdhealth preupgrade upgradingkvaio waitingforkvaio "
        "imagepending imageprovisioning imageprovisioned imagedownloading imagedownloaded "
        "imagedeprovisioning updatingcloudoperator waitingforcloudoperator updatingcapi "
        "updatingcluster postupgrade networkdnsupdatecomplete networkdnsupdatepreparing "
        "networkproxyupdatecomplete networkproxyupdatepreparing arcgatewayupdatecomplete "
        "arcgatewayupdatepreparing networkdnsupdating networkproxyupdating arcgatewayupdating",
    ),
    "registration_state": Words(
        "registration", "registered", "notregistered unregistered unregistering", "registering"
    ),
    "state": Words("state", "enabled", "warned pastdue disabled deleted"),
    "peering_state": Words("peering", "connected", "initiated disconnected"),
    "virtual_network_link_state": Words("link", "completed", "", "inprogress"),
    "circuit_provisioning_state": Words("circuit", "enabled", "disabled", "enabling disabling"),
    "service_provider_provisioning_state": Words(
        "provider", "provisioned", "notprovisioned", "provisioning deprovisioning"
    ),
    "operational_state": Words("operation", "running", "", "starting stopping", "stopped"),
}
