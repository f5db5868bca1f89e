from sickbay.model.snapshot import Snapshot
from sickbay.model.storage import SecretProviderClass
from sickbay.model.vaults import KeyVault
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(SecretProviderClass, TYPICAL)
def reads_by_policy(provider: SecretProviderClass, snapshot: Snapshot) -> Match | Clear | None:
    if not provider.vault:
        return None
    found = snapshot.grouped(KeyVault, "key", provider.vault.casefold())
    if not found:
        snapshot.require(KeyVault)
        return None
    vault = found[0]
    if vault.enable_rbac_authorization is not False:
        return Clear(f"key vault {vault.name} grants by roles")
    return Match(
        f"key vault {vault.name}, which {provider.namespace}/{provider.name} reads, grants by access policies and ignores roles",
        facts={"vault": vault.name},
        cites=(vault.cite("properties.enableRbacAuthorization", False),),
        subject=vault.ref,
        felt_as=("kubernetes.vault_access_denied",),
    )


RULE = Rule(
    title="The Key Vault uses access policies, so a role on it has no effect",
    severity=Severity.WARNING,
    categories=(Category.IDENTITY,),
    detect=(reads_by_policy,),
    why="A vault grants by Azure roles or by access policies, never by both. With enableRbacAuthorization: false a role such as Key Vault Secrets User counts for nothing, and the request is Forbidden until a policy names the identity.",
    remedy=(
        Step(
            "Add an access policy for the identity.",
            run=(
                "az",
                "keyvault",
                "set-policy",
                "--name",
                "{vault}",
                "--object-id",
                "<object-id>",
                "--secret-permissions",
                "get",
                "list",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or let the vault use roles; policies that others rely on then stop to count.",
            run=(
                "az",
                "keyvault",
                "update",
                "--name",
                "{vault}",
                "--enable-rbac-authorization",
                "true",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/application-routing-gateway-api-dns-tls",
        "https://learn.microsoft.com/azure/key-vault/general/rbac-migration",
    ),
    leads_to=("kubernetes.vault_access_denied",),
)
