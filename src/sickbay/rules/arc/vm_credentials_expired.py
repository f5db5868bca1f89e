from sickbay.model.arc import Appliance
from sickbay.model.privatecloud import PrivateCloud, VCenter, VmmServer
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    SYMPTOM,
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(VCenter, TYPICAL)
def has_lost_its_cloud(cloud: VCenter, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(cloud, snapshot)


@each(VmmServer, TYPICAL)
def has_lost_its_server(cloud: VmmServer, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(cloud, snapshot)


def _judge(cloud: PrivateCloud, snapshot: Snapshot) -> Match | Clear:
    if not cloud.connection_status or cloud.is_connected:
        return Clear(f"{cloud.name} is {cloud.connection_status or 'of unknown connection'}")
    if cloud.reason and not _of_login(cloud.reason):
        return Clear(f"{cloud.name} is {cloud.connection_status} for another reason")
    bridges = snapshot.some(Appliance) if snapshot.holds(Appliance.kind) else ()
    running = [bridge.name for bridge in bridges if bridge.runs]
    beside = f", while the bridge {running[0]} runs" if running else ""
    return Match(
        f"{cloud.name} is {cloud.connection_status}{beside}",
        cites=(cloud.cite("properties.connectionStatus", cloud.connection_status),),
        weight=TYPICAL if bridges or cloud.reason else SYMPTOM,
    )


def _of_login(reason: str) -> bool:
    words = ("login", "password", "credential", "denied", "unauthori")
    return any(word in reason.casefold() for word in words)


RULE = Rule(
    title="The credentials that the appliance VM holds for vCenter or the private cloud are no longer valid",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        has_lost_its_cloud,
        has_lost_its_server,
        Signature(
            pattern=r"(?i)Cannot complete login due to an incorrect user name or password|ServerFaultCode: Cannot complete login|\bInvalidLogin\b|ServerFaultCode: The session is not authenticated",
            says="vCenter refuses the account of the appliance",
            sample="ServerFaultCode: Cannot complete login due to an incorrect user name or password.",
            near_miss="Login of arc@vsphere.local succeeded",
            weight=TYPICAL,
            unless=r"(?i)locked",
        ),
    ),
    why="The appliance VM logs in to vCenter (or VMM, or the cloud agent) with locally stored credentials. After a password change they are stale (InvalidLogin): the bridge can no longer manage VMs or be upgraded, and shows as Offline or its vCenter as disconnected until update-infracredentials renews them, in the extension as well.",
    remedy=(
        Step(
            "Log in with the account by hand.",
            run=("govc", "about", "-u", "<user>@<vcenter>"),
            risk=Risk.READ,
        ),
        Step(
            "Renew the credentials in the appliance.",
            run=(
                "az",
                "arcappliance",
                "update-infracredentials",
                "vmware",
                "--kubeconfig",
                "<kubeconfig>",
                "--address",
                "<vcenter>",
                "--username",
                "<user>",
                "--password",
                "<password>",
            ),
            risk=Risk.SAFE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
        Step(
            "Renew the credentials of the cluster extension as well.",
            run=(
                "az",
                "connectedvmware",
                "vcenter",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "<vcenter>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/maintenance",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=(
        "arc.appliance_offline",
        "arc.cloud_resource_failed",
        "arc.upgrade_failed",
    ),
    ask="govc about -u <user>@<vcenter>",
)
