from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import SecretProviderClass, subnets_of_nodes
from sickbay.model.vaults import KeyVault
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(SecretProviderClass)
def names_closed_vault(provider: SecretProviderClass, snapshot: Snapshot) -> Match | Clear | None:
    if not provider.vault:
        return None
    found = snapshot.grouped(KeyVault, "key", provider.vault.casefold())
    if not found:
        snapshot.require(KeyVault)
        return None
    vault = found[0]
    if not vault.is_shut:
        return Clear(f"key vault {vault.name} is open, or has a private endpoint")
    because = vault.shut_to(frozenset(subnets_of_nodes(snapshot)))
    if not because:
        return Clear(f"key vault {vault.name} allows a subnet of the nodes")
    return Match(
        f"{provider.namespace}/{provider.name} reads key vault {vault.name}: {because}",
        facts={"vault": vault.name},
        cites=(vault.cite("properties.publicNetworkAccess", vault.public_network_access),),
        subject=vault.ref,
    )


RULE = Rule(
    title="The Key Vault refuses the network of the nodes (public access disabled or firewall, 403 Forbidden)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.STORAGE,
    ),
    detect=(
        names_closed_vault,
        Signature(
            pattern=r"(?i)Public network access is disabled and request is not from a trusted service|\bForbiddenBy(?:Connection|Firewall)\b|Client address is not authorized and caller is not a trusted service|vault.{0,200}?nor via an approved private link",
            says="the key vault does not take requests from this network",
            sample='failed to mount objects, error: failed to get objectType:secret, objectName:db: StatusCode=403 -- Original Error: Code="Forbidden" Message="Public network access is disabled and request is not from a trusted service nor via an approved private link." InnerError={"code":"ForbiddenByConnection"} vault kv1',
            near_miss='StatusCode=403 Code="Forbidden" Message="The user, group or application does not have secrets get permission on key vault kv1"',
        ),
    ),
    why="The vault takes requests only through a private endpoint or from allowed networks, and this one came over its public address: the nodes resolve the public name because the zone privatelink.vaultcore.azure.net is not linked to their network, the networks are not peered, or the node subnet is not allowed.",
    remedy=(
        Step(
            "See what the nodes resolve.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/busybox:1.36",
                "--",
                "nslookup",
                "<vault>.vault.azure.net",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the network settings of the vault.",
            run=(
                "az",
                "keyvault",
                "show",
                "-n",
                "<vault>",
                "--query",
                "properties.{public:publicNetworkAccess,rules:networkAcls,endpoints:privateEndpointConnections[].id}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "With a private endpoint: link its DNS zone to the network of the nodes, and peer the networks.",
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
                "privatelink.vaultcore.azure.net",
                "-n",
                "<link>",
                "--virtual-network",
                "<vnet-id>",
                "--registration-enabled",
                "false",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Without one: allow the node subnet in the firewall of the vault.",
            run=(
                "az",
                "keyvault",
                "network-rule",
                "add",
                "-n",
                "<vault>",
                "--subnet",
                "<subnet-id>",
            ),
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
    ),
    leads_to=(
        "kubernetes.external_secret_unsynced",
        "kubernetes.mount_failed",
    ),
    ask="az keyvault show -n <vault> --query properties.networkAcls",
)
