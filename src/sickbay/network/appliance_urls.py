"""The URLs that a resource bridge needs, and who needs them."""

from typing import Final

from sickbay.record import NamedTuple

MACHINE: Final = "management machine"
APPLIANCE: Final = "appliance VM"
BOTH: Final = (MACHINE, APPLIANCE)
VMWARE: Final = ("vsphere", "vmware")


class RequiredUrl(NamedTuple):
    """A host on port 443; `{region}` stands for the region of the bridge."""

    host: str
    purpose: str
    needed_by: tuple[str, ...] = BOTH
    # Only for these private clouds; for all without.
    providers: tuple[str, ...] = ()
    # Made from a wildcard by the name of the region: that it is not known proves nothing.
    is_guess: bool = False


_ROWS: Final = (
    RequiredUrl("management.azure.com", "Azure Resource Manager"),
    RequiredUrl("login.microsoftonline.com", "sign-in"),
    RequiredUrl("login.windows.net", "sign-in"),
    RequiredUrl("{region}.login.microsoft.com", "sign-in in the region", is_guess=True),
    RequiredUrl("graph.microsoft.com", "sign-in: roles and groups"),
    RequiredUrl("mcr.microsoft.com", "container images"),
    RequiredUrl("{region}.data.mcr.microsoft.com", "layers of container images", is_guess=True),
    RequiredUrl("msk8s.api.cdp.microsoft.com", "the catalogue of OS images"),
    RequiredUrl("msk8s.sb.tlu.dl.delivery.mp.microsoft.com", "the OS images"),
    RequiredUrl(
        "{region}.dp.kubernetesconfiguration.azure.com", "the charts of the agents", (MACHINE,)
    ),
    RequiredUrl("{region}.dp.prod.appliances.azure.com", "the service of bridges", (APPLIANCE,)),
    RequiredUrl("gbl.his.arc.azure.com", "the identity of the bridge", (APPLIANCE,)),
    RequiredUrl("ecpacr.azurecr.io", "container images of the bridge", (APPLIANCE,)),
    RequiredUrl("linuxgeneva-microsoft.azurecr.io", "container images of the logs", (APPLIANCE,)),
    RequiredUrl("packages.microsoft.com", "packages of the OS", (APPLIANCE,)),
    RequiredUrl("sts.windows.net", "tokens", (APPLIANCE,)),
    RequiredUrl("guestnotificationservice.azure.com", "notifications from Azure", (APPLIANCE,)),
    RequiredUrl("v20.events.data.microsoft.com", "telemetry of the service", (APPLIANCE,)),
    RequiredUrl("gcs.prod.monitoring.core.windows.net", "metrics and logs", (APPLIANCE,)),
    RequiredUrl(
        "azureprivatecloud.azurecr.io", "container images for VMware", (APPLIANCE,), VMWARE
    ),
)
# The name by which resolving external names is tried.
EXTERNAL_NAME: Final = "mcr.microsoft.com"


def required_urls(place: str, provider: str, region: str) -> tuple[RequiredUrl, ...]:
    """What a place must reach; without a region, only the URLs that are the same everywhere."""
    squeezed = region.replace(" ", "").casefold()
    return tuple(
        row._replace(host=row.host.replace("{region}", squeezed))
        for row in _ROWS
        if place in row.needed_by
        and (not row.providers or provider.casefold() in row.providers)
        and (squeezed or "{region}" not in row.host)
    )
