from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.registries import only_cluster
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import (
    FILE_DRIVER,
    PersistentVolume,
    has_waiting_pod,
    subnets_of_nodes,
)
from sickbay.model.vaults import StorageAccount
from sickbay.network.egress import Endpoint
from sickbay.network.egress_way import Asker
from sickbay.network.traffic import Verdict
from sickbay.rulekit import (
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

_PORT = 445


@each(PersistentVolume)
def port_is_shut(volume: PersistentVolume, snapshot: Snapshot) -> Match | Clear | None:
    if volume.driver != FILE_DRIVER or volume.is_nfs or not volume.account:
        return None
    if not has_waiting_pod(volume, snapshot):
        return None
    cluster = only_cluster(snapshot)
    known = snapshot.grouped(StorageAccount, "key", volume.account.casefold())
    # To a private endpoint packets take another way.
    if cluster is None or (known and known[0].has_private_endpoint):
        return None
    host = f"{volume.account}.file.core.windows.net"
    asker, gaps = Asker(snapshot, cluster), list[Gap]()
    share = Endpoint(host, _PORT, "TCP", "Azure Files", "SMB", "shares are not mounted", "Storage")
    for subnet in subnets_of_nodes(snapshot).values():
        layers = asker.ask(share, subnet)
        for decision in (layers.groups, layers.routes, layers.firewall):
            gaps += decision.gaps if decision.verdict is Verdict.UNKNOWN else ()
            if decision.verdict is Verdict.BLOCKED and decision.by:
                by = decision.by[0]
                return Match(
                    f"{by.name} {by.says}: the nodes do not reach {host} on TCP {_PORT}",
                    facts={"account": volume.account},
                    cites=(volume.cite("spec.csi.volumeAttributes.storageAccount", host),),
                    weight=None if known else TYPICAL,
                )
    if gaps:
        raise UnseenError(gaps[0])
    return Clear(f"security groups and routes let the nodes reach {host} on TCP {_PORT}")


RULE = Rule(
    title="The nodes cannot reach the file share: port 445 (SMB) is blocked or its name resolves wrongly",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.CONNECTIVITY,
    ),
    detect=(
        port_is_shut,
        Signature(
            pattern=r"(?i)mount error\((?:110|111|112|113|115)\)|SmbGlobalMapping.{0,300}?(?:network path was not found|network name is no longer available|semaphore timeout period)|mount error: could not (?:connect to|resolve address for)|TCP connect to \(\S{3,120} : 445\) failed|(?:unable|failed) to connect.{0,100}?\b445\b|\.file\.core\.windows\.net.{0,60}?(?:port )?445.{0,60}?(?:timed out|refused)",
            says="the node gets no connection to the file share",
            sample="mount failed: exit status 32 Output: mount error(115): Operation now in progress Refer to the mount.cifs(8) manual page",
            near_miss="mount failed: exit status 32 Output: mount error(13): Permission denied",
            weight=TYPICAL,
        ),
    ),
    why="SMB needs TCP port 445 from the nodes to the storage account; a network security group, a firewall appliance or a private endpoint name that resolves wrongly stops it, and the mount gives up with error 110 to 115.",
    remedy=(
        Step(
            "Test the port from a node.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "nc",
                "-zv",
                "{account}.file.core.windows.net",
                "445",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Allow TCP 445 from the node subnet to the account in NSG and firewall, or use a private endpoint with its DNS zone linked.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
