from sickbay.rulekit import TYPICAL, Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Key Vault, or the token for it, cannot be reached from the node (network timeout)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"keyvault\.BaseClient#Get\w+: Failure sending request: StatusCode=0|vault\.azure\.net.{0,300}?(?:i/o timeout|context deadline exceeded|no such host|connection refused|connection reset by peer|TLS handshake timeout)|failed to (?:get|acquire) (?:key ?vault )?token.{0,200}?(?:deadline|timeout|i/o timeout|no such host)",
            says="the driver could not reach the key vault or get a token for it",
            sample="E1029 17:37:42.461313 1 server.go:54] failed to process mount request, error: keyvault.BaseClient#GetSecret: Failure sending request: StatusCode=0 -- Original Error: context deadline exceeded",
            near_miss="keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=403",
            unless=r"localhost:2579",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The secrets store provider cannot reach the Key Vault or the identity endpoint (Entra ID): a firewall, a network policy, a private endpoint without its DNS zone, or a vault name that does not exist.",
    remedy=(
        Step(
            "Test from a pod on the node.",
            run=(
                "kubectl",
                "run",
                "curl",
                "--image=mcr.microsoft.com/azure-cli",
                "--restart=Never",
                "-it",
                "--rm",
                "--",
                "curl",
                "-sv",
                "https://<vault>.vault.azure.net",
            ),
        ),
        Step(
            "Allow the vault and login.microsoftonline.com on port 443, and link the zone privatelink.vaultcore.azure.net.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
    ),
    leads_to=(
        "kubernetes.external_secret_unsynced",
        "kubernetes.mount_failed",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
