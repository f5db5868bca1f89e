from sickbay.model.aks import ManagedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Rule, Severity, Step, each


@each(ManagedCluster)
def reads_once(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    profiles = cluster.addon_profiles or {}
    found = [p for name, p in profiles.items() if name.casefold() == "azurekeyvaultsecretsprovider"]
    add_on = found[0] if found else None
    if add_on is None or not add_on.enabled:
        return Clear(f"{cluster.name} does not have the secrets provider add-on")
    if add_on.setting("enableSecretRotation").casefold() != "false":
        return Clear(f"{cluster.name} renews its secrets")
    return Match(
        f"{cluster.name} does not renew secrets of Key Vault in running pods",
        cites=(
            cluster.cite(
                "properties.addonProfiles.azureKeyvaultSecretsProvider.config.enableSecretRotation",
                "false",
            ),
        ),
    )


RULE = Rule(
    title="Secrets from Key Vault are not renewed: rotation of the add-on is off",
    severity=Severity.INFO,
    categories=(Category.IDENTITY,),
    detect=(reads_once,),
    why="With enableSecretRotation false the secrets store driver reads Key Vault once, when a pod starts; a renewed certificate or password (also the certificate authority of the mesh) arrives only with a new pod.",
    remedy=(
        Step(
            "Switch rotation on.",
            run=(
                "az",
                "aks",
                "addon",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--addon",
                "azure-keyvault-secrets-provider",
                "--enable-secret-rotation",
            ),
            verify="az aks show --query addonProfiles.azureKeyvaultSecretsProvider.config.enableSecretRotation wants true",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-plug-in-ca-certificate",
        "https://learn.microsoft.com/azure/aks/csi-secrets-store-configuration-options",
    ),
)
