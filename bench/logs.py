"""Writes mixed logs of any size, with a known share of lines that signatures match, and those signatures."""

import json
import random
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

CODES = """SkuNotAvailable AllocationFailed ZonalAllocationFailed OverconstrainedAllocationRequest QuotaExceeded
SubnetIsFull InsufficientSubnetSize SubnetInUse PublicIPCountLimitReached OperationNotAllowed ScopeLocked
RequestDisallowedByPolicy LinkedAuthorizationFailed AuthorizationFailed LinkedInvalidPropertyId
ReadOnlyDisabledSubscription MissingSubscriptionRegistration SubscriptionNotRegistered InvalidTemplateDeployment
VMExtensionProvisioningError VMExtensionProvisioningTimeout VMExtensionHandlerNonTransientError VMStartTimedOut
OSProvisioningTimedOut OSProvisioningClientError OSProvisioningInternalError NodePoolMcVersionIncompatible
K8sVersionNotSupported AgentPoolK8sVersionNotSupported UpgradeFailed PodDrainFailure TooManyRequestsReceived
UpgradeBlockedOnDeprecatedAPIUsage CreateVMSSAgentPoolFailed ReconcileVNetFailed InvalidLoadBalancerProfile
ServiceCidrOverlapExistingSubnetsCidr NetworkPluginMismatch DnsServiceIpOutOfServiceCidr InvalidParameter
ControlPlaneAddOnsNotReady KubernetesPerformanceError KubernetesAPICallFailed CniDownloadTimeoutVMExtensionError
OutboundConnFailVMExtensionError K8SAPIServerConnFailVMExtensionError K8SAPIServerDNSLookupFailVMExtensionError
CustomPrivateDNSZoneMissingPermissionError ServicePrincipalValidationClientError ExpiredServicePrincipalSecret
InvalidResourceReference InUseSubnetCannotBeDeleted VirtualNetworkNotInSucceededState NatGatewayManagedOutbound
RetryableErrorDueToTooManyCalls AKSOperationPreempted AADSTS7000215 AADSTS700016 AADSTS50034 AADSTS90002
PrivateLinkServiceWithPrivateEndpointConnectionsCannotBeDeleted ReferencedResourceNotProvisioned DiskNotFound
CannotOverwriteSnapshot ProximityPlacementGroupFull DedicatedHostNotFound CapacityReservationExhausted
GuestInternetConnectivityError GuestInternetConnectivityProxyError DeploymentTimeoutAppliance CannotPullImageKva
KVAInvalidEntityCustomerError MOCUnreachable CloudAgentUnreachable DatastoreSpaceInsufficient TemplateNotFoundKva
InvalidOverlapWithServiceCIDR HardwareValidationThresholdFailed BareMetalMachineUnreachable RackSkuMismatch
StorageApplianceNetworkLatencyDegraded CSINodeDegraded NFSPodUnhealthy ControlPlaneStorageConnectivityDegraded
FabricAdministrativeLock NetworkTapRulePatchFailed GnmiSetError IsolationDomainDisabled L3NetworkVlanInUse
ResourceCreationValidateFailed ResourcePatchValidateFailed BlobContainerNotFound BlobContainerCommitFailed
LogAnalyticsWorkspaceServiceUnavailable ClusterExtensionInstallFailed ExtensionOperationFailed CustomLocationInUse
ReservedResourceName AnotherOperationInProgress AzureResourceNotFound WaitingForOwner ReferenceNotFound
SecretNotFound ConfigMapNotFound ReconciliationBlocked PostReconciliationFailure CreateOrUpdateFailed""".split()

CSE = """SYSTEMCTL_MASK SYSTEMCTL_ENABLE SYSTEMCTL_START CLOUD_INIT_TIMEOUT FILE_WATCH_TIMEOUT HOLD_WALINUXAGENT
RELEASE_HOLD_WALINUXAGENT APT_INSTALL_TIMEOUT NTP_INSTALL_TIMEOUT NTP_START_TIMEOUT STOP_SYSTEMD_RESOLVED
DOCKER_INSTALL_TIMEOUT DOCKER_START_FAIL MOBY_INSTALL_TIMEOUT CONTAINERD_INSTALL_TIMEOUT RUNC_INSTALL_TIMEOUT
K8S_DOWNLOAD_TIMEOUT K8S_RUNNING_TIMEOUT K8S_API_SERVER_CONN KUBECTL_NOT_FOUND IMG_DOWNLOAD_TIMEOUT
KUBELET_START_FAIL DOCKER_IMG_PULL_TIMEOUT CONTAINERD_CTR_IMG_PULL_TIMEOUT CRI_IMG_PULL_TIMEOUT CONTAINERD_START
CNI_DOWNLOAD_TIMEOUT MS_PROD_DEB_DOWNLOAD MS_GPG_KEY_DOWNLOAD OUTBOUND_CONN_FAIL K8S_API_SERVER_DNS_LOOKUP
K8S_API_SERVER_AZURE_DNS_LOOKUP KATA_KEY_DOWNLOAD KATA_APT_KEY CUSTOM_SEARCH_DOMAINS GPU_DRIVERS_START
GPU_DRIVERS_INSTALL GPU_DEVICE_PLUGIN SGX_DRIVERS_INSTALL SGX_DRIVERS_START APT_DAILY_TIMEOUT APT_UPDATE_TIMEOUT
CSE_PROVISION_SCRIPT_NOT_READY APT_DIST_UPGRADE_TIMEOUT SYSCTL_RELOAD SWAP_CREATE_INSUFFICIENT_DISK_SPACE
TELEPORTD_DOWNLOAD HTTP_PROXY_CA_CONVERT UPDATE_CA_CERTS DISBALE_IPTABLES ARTIFACT_STREAMING_DOWNLOAD
SECURE_TLS_BOOTSTRAP_CLIENT ORAS_PULL_UNAUTHORIZED ORAS_IMDS_TIMEOUT CREDENTIAL_PROVIDER_DOWNLOAD LOOKUP_ENABLE
PRIVATE_K8S_PKG_BINARY NODE_EXPORTER LOCALDNS_FAIL CILIUM_START VHD_BUILD NVIDIA_FABRIC MIG_PARTITION_FAIL""".split()

KINDS = """ManagedCluster ManagedClustersAgentPool VirtualNetwork VirtualNetworksSubnet NetworkSecurityGroup
RouteTable PublicIPAddress LoadBalancer NatGateway PrivateEndpoint PrivateDnsZone DnsZone Registry StorageAccount
UserAssignedIdentity FederatedIdentityCredential RoleAssignment Vault FlexibleServer DatabaseAccount Namespace
Redis Site ServerFarm ApplicationInsights Workspace ResourceGroup Extension FleetMember TrustedAccessRoleBinding""".split()


class Fault(NamedTuple):
    """A signature, and a message with names to fill in that it matches."""

    pattern: str
    message: str


PROSE = (
    Fault(r'Failed to pull image "(?P<image>[^"]+)": .*401 Unauthorized',
          'Failed to pull image "{image}": failed to authorize: 401 Unauthorized'),
    Fault(r'Back-off pulling image "(?P<image>[^"]+)"', 'Back-off pulling image "{image}"'),
    Fault(r"lookup (?P<host>[\w.-]+\.local)\b.*no such host",
          "dial tcp: lookup {host}.local on 10.0.0.10:53: no such host"),
    Fault(r"Node (?P<node>\S+) status is now: NodeNotReady", "Node {node} status is now: NodeNotReady"),
    Fault(r"PLEG is not healthy: pleg was last seen active (?P<age>\S+) ago",
          "skipping pod synchronization: PLEG is not healthy: pleg was last seen active {n}m ago; threshold is 3m"),
    Fault(r"failed to allocate for range \d+: no IP addresses available in range set: (?P<range>\S+)",
          "plugin type=azure-vnet failed: failed to allocate for range 0: no IP addresses available in range set: "
          "10.{n}.0.1-10.{n}.0.254"),
    Fault(r"Memory cgroup out of memory: Killed process (?P<pid>\d+) \((?P<command>[^)]+)\)",
          "Memory cgroup out of memory: Killed process {n} (java) total-vm:812344kB, anon-rss:51220kB"),
    Fault(r"nf_conntrack: table full, dropping packet", "nf_conntrack: nf_conntrack: table full, dropping packet"),
    Fault(r'MountVolume\.MountDevice failed for volume "(?P<volume>[^"]+)".*mount error\(115\)',
          'MountVolume.MountDevice failed for volume "pvc-{hash}": rpc error: code = Internal desc = mount failed: '
          "mount error(115): Operation now in progress"),
    Fault(r'Multi-Attach error for volume "(?P<volume>[^"]+)"',
          'Multi-Attach error for volume "pvc-{hash}" Volume is already used by pod(s) {pod}'),
    Fault(r'Error syncing pod.*CrashLoopBackOff: "back-off (?P<wait>\S+) restarting failed container=(?P<container>\S+)',
          'Error syncing pod, skipping: failed to "StartContainer" for "web" with CrashLoopBackOff: '
          '"back-off 5m0s restarting failed container=web pod={pod}_shop"'),
    Fault(r"x509: certificate has expired or is not yet valid: current time (?P<now>\S+)",
          "tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time "
          "2026-02-{d:02d}T10:00:00Z is after 2026-01-01T00:00:00Z"),
    Fault(r"(?i)etcdserver: request timed out", "etcdserver: request timed out, possibly due to previous leader failure"),
    Fault(r"Liveness probe failed: Get \"(?P<url>[^\"]+)\": context deadline exceeded",
          'Liveness probe failed: Get "http://10.1.{d}.{n}:8080/healthz": context deadline exceeded'),
    Fault(r"AttachVolume\.Attach failed.*(?:disk|volume) .*is not found",
          'AttachVolume.Attach failed for volume "pvc-{hash}": rpc error: disk pvc-{hash} is not found'),
    Fault(r"0/(?P<nodes>\d+) nodes are available: .*Insufficient (?P<what>cpu|memory)",
          "0/{n} nodes are available: 3 node(s) had untolerated taint, {d} Insufficient cpu. preemption: 0/{n} nodes"),
    Fault(r"network is not ready: container runtime network not ready: NetworkReady=false.*cni plugin not initialized",
          "network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady "
          "message:Network plugin returns error: cni plugin not initialized"),
    Fault(r"Evicted.*The node was low on resource: (?P<what>[\w-]+)",
          "Evicted pod {pod}: The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi"),
    Fault(r"cannot get vCenter session: ServerFaultCode: (?P<fault>[^.]+)",
          "cannot get vCenter session: ServerFaultCode: Cannot complete login due to an incorrect user name or password"),
    Fault(r"Rollout of node (?P<node>\S+) stopped: too many PodDisruptionBudget violations",
          "Rollout of node {node} stopped: too many PodDisruptionBudget violations on {pod}"),
)  # fmt: skip


def faults() -> tuple[Fault, ...]:
    """Return about 500 signatures of the kinds that a real catalogue has."""
    arm = (
        Fault(
            rf'\b{code}\b.*[Rr]esource "?(?P<resource>[^" ]+)',
            f"{code}: the operation on resource {{pod}} was refused",
        )
        for code in CODES
    )
    coded = (
        Fault(
            rf'Code="?{code}"? Message="(?P<message>[^"]+)"',
            f'Code="{code}" Message="cannot place {{node}} here"',
        )
        for code in CODES
    )
    status = (Fault(rf"vmssCSE.*exit status={n}\b", f"vmssCSE on {{node}}: command terminated with exit status={n}\\n[stdout]")
              for n in range(3, 240, 3))  # fmt: skip
    names = (
        Fault(
            rf"ERR_{name}(?:_FAIL)?\b.*(?P<code>\d+)",
            f"provisioning {{node}}: ERR_{name} code {{n}}",
        )
        for name in CSE
    )
    aso = (
        Fault(rf"{kind}/(?P<name>[\w-]+).*Reason: (?P<reason>\w+), Severity: Error",
              f"{kind}/{{pod}} Ready=False, Reason: Failed{kind[:3]}, Severity: Error, Message: it broke")
        for kind in KINDS
    )  # fmt: skip
    denied = (
        Fault(rf"does not have authorization to perform action '(?P<action>Microsoft\.\w+/{kind}s?/\w+)' over scope '(?P<scope>[^']+)'",
              f"The client does not have authorization to perform action 'Microsoft.Test/{kind}s/write' "
              "over scope '/subscriptions/{hash}/resourceGroups/{node}'")
        for kind in KINDS
    )  # fmt: skip
    hosts = (Fault(rf"dial tcp (?P<address>[\d.]+):{port}: connect: connection refused",
                   f"proxy error: dial tcp 10.2.{{d}}.{{n}}:{port}: connect: connection refused")
             for port in range(10_250, 10_330))  # fmt: skip
    return (*PROSE, *arm, *coded, *status, *names, *aso, *denied, *hosts)


class Names:
    """Draws names as an estate would have them."""

    def __init__(self, random: random.Random) -> None:
        self.random = random

    def __call__(self) -> dict[str, object]:
        pick = self.random.randrange
        token = f"{pick(1 << 40):010x}"
        app = APPS[pick(len(APPS))]
        return {
            "pod": f"{app}-{token[:5]}{pick(2000)}",
            "node": f"aks-np{pick(9)}-31{pick(900) + 100}-vmss{pick(200):06x}",
            "image": f"contoso{pick(40)}.azurecr.io/{app}:v1.{pick(50)}",
            "host": f"esx{pick(200)}.lab",
            "hash": f"{token}-{pick(1 << 16):04x}",
            "n": pick(1, 250),
            "d": pick(1, 28),
        }


APPS = "checkout cart payments search catalogue coredns metrics-server azure-cni konnectivity-agent aso".split()
VERBS = "synced updated reconciled checked loaded started listed watched rotated resized".split()
THINGS = "volume endpoint secret lease pod node service image deployment certificate subnet route container".split()

Shape = Callable[[str, str, int], str]
_ACTIVE = 60


def _klog(at: str, message: str, n: int) -> str:
    return f"E{at[5:7]}{at[8:10]} {at[11:19]}.{n:06d}    {n % 9000} pod_workers.go:{n % 2000}] {message}"


def _zap(at: str, message: str, n: int) -> str:
    fields = {"level": "error", "ts": f"{at}.{n % 1000:03d}Z", "logger": "controllers.Generic", "msg": message,
              "controller": "managedcluster", "namespace": f"team-{n % 90}", "reconcileID": f"{n:032x}"}  # fmt: skip
    return json.dumps(fields, separators=(",", ":"))


def _kva(at: str, message: str, n: int) -> str:
    return f'time="{at}Z" level=error msg={json.dumps(message)} phase=WaitingForCluster attempt={n % 60}'


def _cri(at: str, message: str, n: int) -> str:
    return f"{at}.{n:09d}Z stderr F {message}"


def _nginx(at: str, message: str, n: int) -> str:
    stamp = at[:10].replace("-", "/")
    return f"{stamp} {at[11:19]} [error] {n % 40}#{n % 40}: *{n} {message}, client: 10.244.{n % 250}.7, server: shop"


def _kernel(at: str, message: str, n: int) -> str:
    return f"Mar {int(at[8:10]):2d} {at[11:19]} aks-np1-31{n % 900:03d}-vmss000002 kernel: [{n % 99999}.{n % 1000:06d}] {message}"


def _azure(at: str, message: str, n: int) -> str:
    body = {
        "error": {
            "code": "DeploymentFailed",
            "message": json.dumps({"error": {"message": message}}),
        }
    }
    return f"{at}.{n % 1000:03d}Z ERROR ExtHandler {json.dumps(body)}"


def _agent(at: str, message: str, n: int) -> str:
    body = {
        "status": {"code": "Succeeded", "message": json.dumps({"status": {"message": message}})}
    }
    return f"{at}.{n % 1000:03d}Z INFO ExtHandler {json.dumps(body)}"


FAULTY: tuple[Shape, ...] = (_klog, _klog, _zap, _kva, _cri, _nginx, _kernel, _azure)


def _routine(random: random.Random, names: Names) -> list[tuple[Shape, str]]:
    pick = random.choice
    made: list[tuple[Shape, str]] = []
    for _ in range(6_000):
        drawn = names()
        verb, thing, other, app = pick(VERBS), pick(THINGS), pick(THINGS), pick(APPS)
        made += [
            (_klog, f'"{thing.title()} {verb}" pod="shop/{drawn["pod"]}" {other}="{drawn["hash"]}" failed=0 status="Running"'),
            (_zap, f"{verb} {thing} for {other} {drawn['pod']} after retry, no error was reported by the resource manager"),
            (_cri, f"level=info msg={thing} {verb} in namespace shop by {app} node {drawn['node']} image {drawn['image']}"),
            (_kva, f"Waiting for {thing} {drawn['pod']} to be ready: {drawn['n']} of 250 {other}s {verb}, timeout in 30m0s"),
            (_nginx, f"upstream response is buffered to a temporary file /var/cache/nginx/{drawn['n']} while reading upstream, "
                     f'request: "GET /{thing}/{drawn["hash"]} HTTP/1.1", host: "{app}.contoso.com", code 200'),
            (_kernel, f"eth0: renamed from veth{drawn['hash']}, link {thing} becomes ready, {other} {verb}"),
            (_agent, f"Operation on /subscriptions/{drawn['hash']}/resourceGroups/rg-{app}/providers/Microsoft.Network/"
                     f"virtualNetworks/{drawn['node']} {verb} the {thing}; status Succeeded, not an error"),
        ]  # fmt: skip
    return made


def lines(share: float, seed: int = 7) -> Iterator[str]:
    """Yield log lines without end; `share` of them match a signature."""
    draw = random.Random(seed)
    names = Names(draw)
    # An estate is ill in some tens of ways at once, not in five hundred.
    active, routine = draw.sample(faults(), _ACTIVE), _routine(draw, names)
    number = 0
    while True:
        number += 1
        at = f"2026-03-{number // 900_000 % 28 + 1:02d}T{number // 36_000 % 24:02d}:{number // 600 % 60:02d}:{number // 10 % 60:02d}"
        if draw.random() < share:
            message = active[draw.randrange(_ACTIVE)].message.format_map(names())
            yield FAULTY[draw.randrange(len(FAULTY))](at, message, number)
            continue
        shape, message = routine[draw.randrange(len(routine))]
        yield shape(at, message, number)


def write(file: BinaryIO, size: int, share: float) -> None:
    """Write about `size` bytes of logs."""
    left, batch = size, []
    for line in lines(share):
        batch.append(line)
        left -= len(line) + 1
        if len(batch) == 4_096 or left <= 0:
            file.write("\n".join([*batch, ""]).encode())
            batch.clear()
        if left <= 0:
            return
