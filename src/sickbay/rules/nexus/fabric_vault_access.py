from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network fabric has no access to its secret or certificate in Key Vault",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)(?:network ?fabric|isolation ?domain|internal ?network|external ?network|managednetworkfabric|terminal ?server|network ?device)\b.{0,240}?\bkey ?-?vault\b.{0,160}?(?:forbidden|access (?:is )?denied|denied|unauthori[sz]ed|not authori[sz]ed|does not have|no access|lost access|403|not found|unable to|failed to|could not)",
            says="the fabric cannot read from its Key Vault",
            sample="L3 isolation domain enable failed: network fabric could not read the secret from Key Vault: Forbidden",
            near_miss="L3 isolation domain enable done: network fabric read the secret from Key Vault",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?:failed to|could not|unable to|cannot) (?:get|read|retrieve|fetch|access).{0,80}?\bkey ?-?vault\b.{0,200}?(?:network ?fabric|isolation ?domain|managednetworkfabric|network ?device)",
            says="the fabric cannot read from its Key Vault",
            sample="Operation failed: unable to retrieve certificate from Key Vault kv-fabric for the network fabric fab1",
            near_miss="Operation done: retrieved certificate from Key Vault kv-fabric for the network fabric fab1",
            weight=TYPICAL,
        ),
    ),
    why="The fabric keeps passwords and certificates of its devices in a Key Vault and reads them for every operation. When its identity lost the role, or the firewall of the vault closed, isolation domains and other resources end as Failed.",
    remedy=(
        Step(
            "See who may read the vault.",
            run=("az", "role", "assignment", "list", "--scope", "<key-vault-id>", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Give the identity of the fabric its role on the vault again, and let trusted services through the firewall.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "<identity-principal-id>",
                "--assignee-principal-type",
                "ServicePrincipal",
                "--role",
                "Operator Nexus Key Vault Writer Service Role (Preview)",
                "--scope",
                "<key-vault-id>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Repeat the operation that failed.",
            verify="az resource show --ids {subject} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-isolation-domain",),
    leads_to=("nexus.isolation_domain_disabled", "nexus.fabric_failed"),
    ask="az role assignment list --scope <key-vault-id> -o table",
)
