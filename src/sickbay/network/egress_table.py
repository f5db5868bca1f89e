"""What nodes must reach outside: names, ports and what fails without them, feature by feature."""

from typing import Final, NamedTuple

PUBLIC: Final = "public"
CHINA: Final = "china"
GOVERNMENT: Final = "government"
EVERY_CLOUD: Final = (PUBLIC, CHINA, GOVERNMENT)

HTTPS: Final = 443
HTTP: Final = 80


class Row(NamedTuple):
    """Names that one feature needs; `{region}` stands for the region of the cluster."""

    feature: str
    fqdns: tuple[str, ...]
    purpose: str
    breaks: str
    clouds: tuple[str, ...] = (PUBLIC,)
    port: int = HTTPS
    protocol: str = "TCP"
    # A service tag that covers the names, for rules that cannot hold names.
    tag: str = ""
    is_required: bool = True


_NO_SERVER: Final = "nodes cannot register, and show NotReady after their lease runs out"
_NO_IMAGES: Final = "images of the system are not pulled: nodes do not bootstrap, pods stay pending"
_NO_ARM: Final = "disks, load balancers and routes are not made, and nodes cannot be managed"
_NO_TOKENS: Final = "identities get no token: images of a registry, disks and secrets fail"
_NO_PACKAGES: Final = "the bootstrap of new nodes fails when a package is not in the image"
_NO_BINARIES: Final = "kubelet and the network plugin of another version are not downloaded"
_NO_TUNNEL: Final = "kubectl logs, exec and port-forward fail, and webhooks are not called"
_NO_UPDATES: Final = "nodes get security fixes only with a new node image"

BASE: Final = "base"
PUBLIC_SERVER: Final = "public API server"
OLD_TUNNEL: Final = "tunnel before konnectivity"
OLD_TIME: Final = "time from the internet"
LINUX: Final = "Linux nodes"
WINDOWS: Final = "Windows nodes"
GPU: Final = "GPU nodes"
POLICY: Final = "Azure Policy"
INSIGHTS: Final = "Container insights"
PROMETHEUS: Final = "managed Prometheus"
DEFENDER: Final = "Defender for Containers"
VAULT: Final = "Key Vault secrets provider"
EXTENSIONS: Final = "cluster extensions"

ROWS: Final = (
    Row(
        PUBLIC_SERVER,
        ("*.hcp.{region}.azmk8s.io",),
        "nodes talk to the API server, and konnectivity keeps its tunnel through it",
        _NO_SERVER,
        tag="AzureCloud.{region}",
    ),
    Row(
        PUBLIC_SERVER,
        ("*.hcp.{region}.cx.prod.service.azk8s.cn", "*.tun.{region}.cx.prod.service.azk8s.cn"),
        "nodes talk to the API server and keep the tunnel to it",
        _NO_SERVER,
        (CHINA,),
        tag="AzureCloud.{region}",
    ),
    Row(
        PUBLIC_SERVER,
        ("*.hcp.{region}.cx.aks.containerservice.azure.us",),
        "nodes talk to the API server, and konnectivity keeps its tunnel through it",
        _NO_SERVER,
        (GOVERNMENT,),
        tag="AzureCloud.{region}",
    ),
    Row(
        OLD_TUNNEL,
        ("*.hcp.{region}.azmk8s.io",),
        "the tunnel from the API server to the nodes, before Kubernetes 1.22",
        _NO_TUNNEL,
        port=1194,
        protocol="UDP",
        tag="AzureCloud.{region}",
    ),
    Row(
        OLD_TUNNEL,
        ("*.hcp.{region}.azmk8s.io",),
        "the tunnel from the API server to the nodes, before Kubernetes 1.22",
        _NO_TUNNEL,
        port=9000,
        tag="AzureCloud.{region}",
    ),
    Row(
        BASE,
        ("mcr.microsoft.com",),
        "the registry that holds the images of the system",
        _NO_IMAGES,
        EVERY_CLOUD,
        tag="MicrosoftContainerRegistry",
    ),
    Row(
        BASE,
        ("*.data.mcr.microsoft.com", "mcr-0001.mcr-msedge.net"),
        "the layers of the images in that registry",
        _NO_IMAGES,
        EVERY_CLOUD,
        tag="MicrosoftContainerRegistry",
    ),
    Row(
        BASE,
        ("management.azure.com",),
        "Azure Resource Manager",
        _NO_ARM,
        tag="AzureResourceManager",
    ),
    Row(
        BASE,
        ("management.chinacloudapi.cn",),
        "Azure Resource Manager",
        _NO_ARM,
        (CHINA,),
        tag="AzureResourceManager",
    ),
    Row(
        BASE,
        ("management.usgovcloudapi.net",),
        "Azure Resource Manager",
        _NO_ARM,
        (GOVERNMENT,),
        tag="AzureResourceManager",
    ),
    Row(
        BASE,
        ("login.microsoftonline.com",),
        "sign-in of identities",
        _NO_TOKENS,
        tag="AzureActiveDirectory",
    ),
    Row(
        BASE,
        ("login.chinacloudapi.cn", "login.partner.microsoftonline.cn"),
        "sign-in of identities",
        _NO_TOKENS,
        (CHINA,),
        tag="AzureActiveDirectory",
    ),
    Row(
        BASE,
        ("login.microsoftonline.us",),
        "sign-in of identities",
        _NO_TOKENS,
        (GOVERNMENT,),
        tag="AzureActiveDirectory",
    ),
    Row(BASE, ("packages.microsoft.com",), "packages of Microsoft", _NO_PACKAGES, EVERY_CLOUD),
    Row(
        BASE,
        ("packages.aks.azure.com", "acs-mirror.azureedge.net"),
        "binaries of Kubernetes and of the network plugin",
        _NO_BINARIES,
        (PUBLIC, GOVERNMENT),
    ),
    Row(
        BASE,
        ("*.azk8s.cn",),
        "binaries of Kubernetes and of the network plugin",
        _NO_BINARIES,
        (CHINA,),
    ),
    Row(
        OLD_TIME,
        ("ntp.ubuntu.com",),
        "the time; nodes made after March 2021 have it from their host",
        "clocks drift until certificates look expired or not yet valid",
        EVERY_CLOUD,
        123,
        "UDP",
        is_required=False,
    ),
    Row(
        LINUX,
        ("security.ubuntu.com", "azure.archive.ubuntu.com", "changelogs.ubuntu.com"),
        "security updates of the nodes",
        _NO_UPDATES,
        EVERY_CLOUD,
        HTTP,
        is_required=False,
    ),
    Row(
        LINUX,
        ("snapshot.ubuntu.com",),
        "security updates of the nodes, by snapshot",
        _NO_UPDATES,
        EVERY_CLOUD,
        is_required=False,
    ),
    Row(
        WINDOWS,
        ("onegetcdn.azureedge.net", "go.microsoft.com"),
        "parts of Windows that a node installs",
        "the bootstrap of Windows nodes fails",
        EVERY_CLOUD,
    ),
    Row(
        WINDOWS,
        ("*.mp.microsoft.com", "www.msftconnecttest.com", "ctldl.windowsupdate.com"),
        "updates and certificate lists of Windows",
        "Windows nodes think that they are offline and trust no new certificate",
        EVERY_CLOUD,
        HTTP,
    ),
    Row(
        WINDOWS,
        ("azkms.core.windows.net", "kms.core.windows.net"),
        "activation of Windows",
        "Windows nodes lose their activation after some months",
        port=1688,
        is_required=False,
    ),
    Row(
        GPU,
        ("nvidia.github.io", "us.download.nvidia.com", "download.docker.com"),
        "drivers of the graphics processors",
        "nodes come up without a driver, and pods that ask for nvidia.com/gpu stay pending",
        EVERY_CLOUD,
    ),
)
