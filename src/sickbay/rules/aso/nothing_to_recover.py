from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A vault is to be recovered (createMode recover), but no soft-deleted vault of that name exists",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bSoftDeletedVaultDoesNotExist\b|(?i:there is no soft[- ]deleted vault (?:with the name|named) \W?(?P<vault>[\w-]{0,60}))",
            says="there is no deleted vault[ {vault}] to recover",
            sample="SoftDeletedVaultDoesNotExist: A soft deleted vault with the given name does not exist. Ensure that the name for the vault that is being attempted to recover is in a recoverable state.",
            near_miss="The soft deleted vault kv-dev was recovered",
        ),
    ),
    why="createMode recover takes a vault back out of the soft-deleted state and fails when there is none: it was purged, belongs to another subscription or region, or is already recovered. An object that is reconciled for ever meets that case after its first success.",
    remedy=(
        Step(
            "See what can be recovered in the subscription.",
            run=("az", "keyvault", "list-deleted", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Set createMode to createOrRecover, which makes a new vault where none is to be recovered.",
            run=(
                "kubectl",
                "patch",
                "vault.keyvault.azure.com",
                "<name>",
                "-n",
                "<namespace>",
                "--type",
                "merge",
                "-p",
                '{"spec":{"properties":{"createMode":"createOrRecover"}}}',
            ),
            risk=Risk.SAFE,
            verify="kubectl get vault.keyvault.azure.com -n <namespace> wants READY True",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/keyvaults/",
        "https://learn.microsoft.com/azure/key-vault/general/key-vault-recovery",
    ),
    leads_to=("aso.referenced_resource_missing", "aso.request_refused", "aso.not_ready"),
    ask="az keyvault list-deleted -o table",
)
