"""What add-ons, extensions and Arc agents must reach outside, beyond what every node needs."""

from typing import Final

from sickbay.network.egress_table import (
    CHINA,
    DEFENDER,
    EVERY_CLOUD,
    EXTENSIONS,
    GOVERNMENT,
    INSIGHTS,
    POLICY,
    PROMETHEUS,
    PUBLIC,
    VAULT,
    Row,
)

_NO_POLICY: Final = "policies are neither applied nor reported, and the cluster shows no compliance"
_NO_LOGS: Final = "logs and metrics do not arrive in the workspace"
_NO_METRICS: Final = "metrics of Prometheus do not arrive in the workspace"
_NO_DEFENDER: Final = "no security events arrive, and the sensor shows as not running"
_NO_VAULT: Final = "volumes with secrets do not mount, and their pods stay in ContainerCreating"
_NO_EXTENSION: Final = "extensions stay in Creating or Failed, and report no status"
_NO_ARC: Final = "the cluster shows Offline, or does not connect at all"

ADDON_ROWS: Final = (
    Row(
        POLICY,
        ("data.policy.core.windows.net", "store.policy.core.windows.net"),
        "policies, their templates, and the report of compliance",
        _NO_POLICY,
    ),
    Row(
        POLICY,
        ("data.policy.azure.cn", "store.policy.azure.cn"),
        "policies, their templates, and the report of compliance",
        _NO_POLICY,
        (CHINA,),
    ),
    Row(
        POLICY,
        ("data.policy.azure.us", "store.policy.azure.us"),
        "policies, their templates, and the report of compliance",
        _NO_POLICY,
        (GOVERNMENT,),
    ),
    Row(
        POLICY,
        ("dc.services.visualstudio.com",),
        "telemetry of the add-on",
        "the add-on is not observed by Microsoft",
        is_required=False,
    ),
    Row(
        INSIGHTS,
        (
            "*.ods.opinsights.azure.com",
            "*.oms.opinsights.azure.com",
            "*.monitoring.azure.com",
            "{region}.handler.control.monitor.azure.com",
            "global.handler.control.monitor.azure.com",
            "*.ingest.monitor.azure.com",
        ),
        "logs and metrics of the containers, and the rules of what to collect",
        _NO_LOGS,
        tag="AzureMonitor",
    ),
    Row(
        INSIGHTS,
        ("dc.services.visualstudio.com",),
        "telemetry of the agent",
        "the agent is not observed by Microsoft",
        tag="AzureMonitor",
        is_required=False,
    ),
    Row(
        INSIGHTS,
        (
            "*.ods.opinsights.azure.cn",
            "*.oms.opinsights.azure.cn",
            "global.handler.control.monitor.azure.cn",
            "{region}.handler.control.monitor.azure.cn",
        ),
        "logs and metrics of the containers, and the rules of what to collect",
        _NO_LOGS,
        (CHINA,),
        tag="AzureMonitor",
    ),
    Row(
        INSIGHTS,
        (
            "*.ods.opinsights.azure.us",
            "*.oms.opinsights.azure.us",
            "global.handler.control.monitor.azure.us",
            "{region}.handler.control.monitor.azure.us",
        ),
        "logs and metrics of the containers, and the rules of what to collect",
        _NO_LOGS,
        (GOVERNMENT,),
        tag="AzureMonitor",
    ),
    Row(
        PROMETHEUS,
        (
            "*.ingest.monitor.azure.com",
            "{region}.handler.control.monitor.azure.com",
            "global.handler.control.monitor.azure.com",
        ),
        "metrics that Prometheus scrapes, and the rules of what to collect",
        _NO_METRICS,
        tag="AzureMonitor",
    ),
    Row(
        DEFENDER,
        ("*.ods.opinsights.azure.com", "*.oms.opinsights.azure.com"),
        "security events, and the sign-in to their workspace",
        _NO_DEFENDER,
        tag="AzureMonitor",
    ),
    Row(
        DEFENDER,
        ("*.cloud.defender.microsoft.com",),
        "security events of newer sensors",
        _NO_DEFENDER,
        is_required=False,
    ),
    Row(
        DEFENDER,
        ("*.ods.opinsights.azure.us", "*.oms.opinsights.azure.us"),
        "security events, and the sign-in to their workspace",
        _NO_DEFENDER,
        (GOVERNMENT,),
        tag="AzureMonitor",
    ),
    Row(
        DEFENDER,
        ("*.ods.opinsights.azure.cn", "*.oms.opinsights.azure.cn"),
        "security events, and the sign-in to their workspace",
        _NO_DEFENDER,
        (CHINA,),
        tag="AzureMonitor",
    ),
    Row(VAULT, ("*.vault.azure.net",), "the vaults", _NO_VAULT, tag="AzureKeyVault"),
    Row(VAULT, ("*.vault.azure.cn",), "the vaults", _NO_VAULT, (CHINA,), tag="AzureKeyVault"),
    Row(
        VAULT,
        ("*.vault.usgovcloudapi.net",),
        "the vaults",
        _NO_VAULT,
        (GOVERNMENT,),
        tag="AzureKeyVault",
    ),
    Row(
        EXTENSIONS,
        ("{region}.dp.kubernetesconfiguration.azure.com",),
        "what extensions shall do, and how they are",
        _NO_EXTENSION,
    ),
    Row(
        EXTENSIONS,
        ("{region}.dp.kubernetesconfiguration.azure.us",),
        "what extensions shall do, and how they are",
        _NO_EXTENSION,
        (GOVERNMENT,),
    ),
    Row(
        EXTENSIONS,
        ("arcmktplaceprod.azurecr.io", "arcmktplaceprod.*.data.azurecr.io"),
        "images of extensions out of the marketplace",
        "extensions of the marketplace do not install",
        is_required=False,
    ),
    Row(
        EXTENSIONS,
        ("*.ingestion.msftcloudes.com", "*.microsoftmetrics.com", "marketplaceapi.microsoft.com"),
        "metrics of the agents, and the metering of the marketplace",
        "use is not metered, and agents are not observed",
        is_required=False,
    ),
)

ARC: Final = "Arc-enabled Kubernetes"

ARC_ROWS: Final = (
    Row(
        ARC,
        ("management.azure.com", "login.microsoftonline.com", "{region}.login.microsoft.com"),
        "registration and sign-in of the agents",
        _NO_ARC,
    ),
    Row(
        ARC,
        ("{region}.dp.kubernetesconfiguration.azure.com",),
        "the agents' orders and reports",
        _NO_ARC,
    ),
    Row(
        ARC,
        ("mcr.microsoft.com", "*.data.mcr.microsoft.com"),
        "images of the agents",
        "agents stay in ImagePullBackOff",
        EVERY_CLOUD,
    ),
    Row(
        ARC,
        ("gbl.his.arc.azure.com", "*.his.arc.azure.com"),
        "certificates of the cluster's identity",
        "the identity's certificate is not renewed, and expires after 90 days",
    ),
    Row(
        ARC,
        (
            "guestnotificationservice.azure.com",
            "*.guestnotificationservice.azure.com",
            "sts.windows.net",
            "*.servicebus.windows.net",
        ),
        "cluster connect and custom locations",
        "az connectedk8s proxy does not connect, and notices do not arrive",
        (PUBLIC,),
        is_required=False,
    ),
    Row(
        ARC,
        ("graph.microsoft.com",),
        "groups of users for Azure RBAC",
        "access by group is refused",
        is_required=False,
    ),
    Row(
        ARC,
        ("{region}.obo.arc.azure.com",),
        "sign-in of users through cluster connect",
        "az connectedk8s proxy does not connect",
        port=8084,
        is_required=False,
    ),
)
