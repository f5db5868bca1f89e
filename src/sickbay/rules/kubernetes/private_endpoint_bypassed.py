from sickbay.model.kubernetes import Pod
from sickbay.model.registries import registry_of, waits_for
from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import (
    FILE_DRIVER,
    PersistentVolume,
    SecretProviderClass,
    has_waiting_pod,
)
from sickbay.model.vaults import KeyVault, StorageAccount
from sickbay.network.names_private import way_past
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


@each(PersistentVolume)
def volume_goes_public(volume: PersistentVolume, snapshot: Snapshot) -> Match | Clear | None:
    name = volume.account
    if not name:
        return None
    found = snapshot.grouped(StorageAccount, "key", name.casefold())
    if not found:
        snapshot.require(StorageAccount)
        return None
    zone = f"{'file' if volume.driver == FILE_DRIVER else 'blob'}.core.windows.net"
    waits, host = has_waiting_pod(volume, snapshot), f"{name}.{zone}"
    return way_past(found[0], host, f"privatelink.{zone}", snapshot, is_felt=waits)


@each(SecretProviderClass)
def vault_goes_public(provider: SecretProviderClass, snapshot: Snapshot) -> Match | Clear | None:
    name = provider.vault
    if not name:
        return None
    found = snapshot.grouped(KeyVault, "key", name.casefold())
    if not found:
        snapshot.require(KeyVault)
        return None
    zone = "privatelink.vaultcore.azure.net"
    return way_past(found[0], f"{name}.vault.azure.net", zone, snapshot)


@each(Pod)
def registry_goes_public(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    registry = registry_of(pod, snapshot) if waits_for(pod) else None
    if registry is None:
        return None
    said = way_past(registry, registry.host, "privatelink.azurecr.io", snapshot, is_felt=True)
    return said._replace(subject=pod.ref) if isinstance(said, Match) else said


RULE = Rule(
    title="The nodes do not resolve a private storage account, vault or registry (ACR) to its private endpoint",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.CONNECTIVITY),
    detect=(
        volume_goes_public,
        vault_goes_public,
        registry_goes_public,
        Signature(
            pattern=r"(?i)(?P<host>[\w-]+)\.privatelink\.(?:vaultcore\.azure\.net|(?:blob|file|queue|table|dfs|web)\.core\.windows\.net|database\.windows\.net|(?:postgres|mysql)\.database\.azure\.com|redis\.cache\.windows\.net|servicebus\.windows\.net|documents\.azure\.com|azurecr\.io|azconfig\.io|openai\.azure\.com|cognitiveservices\.azure\.com).{0,400}?Address(?:es)?: ?(?:4|13|20|23|40|48|5[0127]|6[458]|7[024]|98|10[248]|13[1-8]|145|15[78]|168|191|20[47])\.\d+\.\d+\.\d+|Address(?:es)?: ?(?:4|13|20|23|40|48|5[0127]|6[458]|7[024]|98|10[248]|13[1-8]|145|15[78]|168|191|20[47])\.\d+\.\d+\.\d+ .{0,200}?Aliases: .{0,200}?\.privatelink\.[\w.]+",
            says="the name of a private endpoint resolves to a public address",
            sample="kv-shop.vault.azure.net canonical name = kv-shop.privatelink.vaultcore.azure.net.\nName: data-prod-weu.vaultcore.azure.net\nAddress: 52.138.1.2",
            near_miss="kv-shop.vault.azure.net canonical name = kv-shop.privatelink.vaultcore.azure.net.\nName: kv-shop.privatelink.vaultcore.azure.net\nAddress: 10.2.0.5",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)This TCP connection does not allow access to (?P<host>[\w.-]+)|(?:resolv\w+|returns?|gets?|got|getting|nslookup) .{0,60}?\bpublic (?:IP|address)\b.{0,300}?\b(?:private endpoint|privatelink\.|private link|public (?:network )?access (?:is )?disabled)|\b(?:private endpoint|privatelink\.|private link|public (?:network )?access (?:is )?disabled)\b.{0,300}?\b(?:resolv\w+|returns?|gets?|nslookup) .{0,60}?\bpublic (?:IP|address)\b",
            says="the name does not lead to the private endpoint of its own resource",
            sample="Status: 403 (Forbidden) This TCP connection does not allow access to kv-shop.vault.azure.net.",
            near_miss="nslookup returns the address of the private endpoint",
            weight=TYPICAL,
        ),
    ),
    why="An account, vault or registry without public access answers only through its private endpoint, and the name leads there only where the private DNS zone (privatelink.file.core.windows.net, privatelink.vaultcore.azure.net, privatelink.azurecr.io …) is linked to the network that asks and holds the record. Otherwise nodes go to the public address and are refused: mount error(13), or ForbiddenByConnection.",
    remedy=(
        Step(
            "See what a node resolves, in a shell of it (kubectl debug node/{node} -it --image=busybox).",
            run=("nslookup", "{host}"),
            risk=Risk.READ,
        ),
        Step(
            "Link the zone to the network of the nodes; if it is linked and lacks the record, give the private endpoint a DNS zone group with {zone}.",
            run=(
                "az",
                "network",
                "private-dns",
                "link",
                "vnet",
                "create",
                "-g",
                "<zone-group>",
                "-z",
                "{zone}",
                "-n",
                "nodes",
                "--virtual-network",
                "{network}",
                "--registration-enabled",
                "false",
            ),
            verify="nslookup {host} on a node answers with the address of the private endpoint",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
    ),
    leads_to=(
        "kubernetes.share_access_denied",
        "kubernetes.blob_mount_refused",
        "kubernetes.nfs_access_denied",
        "kubernetes.vault_network_denied",
        "kubernetes.mount_failed",
        "kubernetes.registry_forbidden",
        "kubernetes.image_pull_failed",
    ),
    ask="az network private-dns zone list -o json",
)
