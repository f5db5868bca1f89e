from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A deleted vault, key or secret may not be purged: purge protection is on, or the right to purge is missing",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?i)Operation .{0,3}?\bpurge\b.{0,3}? is not (?:enabled|allowed)|Operation is not allowed\. Operation: .{0,2}?purge|(?:vault|secret|key|certificate)\b.{0,200}?(?:cannot|could not|can't) be purged\b|does not have (?P<kind>keys|secrets|certificates) purge permission|\bDeletedVaultPurge\w*",
            says="purging is refused[ ({kind})]",
            sample='keyvault.BaseClient#PurgeDeletedSecret: Failure responding to request: StatusCode=400 -- Original Error: Status=400 Code="NotSupported" Message="Operation \\"purge\\" is not enabled for this vault."',
            near_miss='Operation "purge" is enabled for this vault',
            weight=TYPICAL,
        ),
    ),
    why="What is deleted from a vault with soft delete is kept for its retention time, and holds its name. With purge protection nobody can remove it sooner, and the protection cannot be taken off; without it a purge needs a right of its own (Purge in the access policy, or Key Vault Purge Operator on the subscription for vaults). Terraform tries to purge by default when it destroys.",
    remedy=(
        Step(
            "See whether purge protection is on, and until when things are kept.",
            run=("az", "keyvault", "list-deleted", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "With purge protection: recover what was deleted, take another name, or wait out the retention. In Terraform set purge_soft_delete_on_destroy and its siblings of the features block to false.",
        ),
        Step(
            "Without it: grant the identity the right to purge, and purge.",
            run=("az", "keyvault", "purge", "--name", "<vault>"),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/key-vault/general/key-vault-recovery",),
    leads_to=("aks.request_refused",),
    ask="az keyvault show --name <vault> --query properties.enablePurgeProtection",
)
