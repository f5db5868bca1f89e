from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The backup request names a backup policy or parameter that is invalid (UserErrorInvalidRequestParameter)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"\bUserErrorInvalidRequestParameter\b(?:: Parameter (?P<parameter>\w+))?|Parameter (?P<other>\w+) in request is invalid",
            says="the parameter {parameter} of the backup request is invalid",
            sample="UserErrorInvalidRequestParameter: Parameter PolicyName in request is invalid",
            near_miss="Parameter PolicyName in request is valid",
        ),
        Signature(
            pattern=r"\bDppUserErrorVaultTierPolicyNotSupported\b",
            says="the region has no vault tier, for which the policy has a retention rule",
            sample="DppUserErrorVaultTierPolicyNotSupported: The vault-standard tier is not supported.",
            near_miss="The policy keeps backups in the operational tier for 7 days",
        ),
    ),
    why="A backup instance refers to a policy of the same vault. The policy does not exist yet, or a policy parameter of the request is not valid for the data source.",
    remedy=(
        Step(
            "List the policies of the vault.",
            run=(
                "az",
                "dataprotection",
                "backup-policy",
                "list",
                "-g",
                "{resource_group}",
                "--vault-name",
                "{name}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the policy first, or correct its name; in ASO refer to the policy object by group, kind and name.",
            risk=Risk.SAFE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/backup/azure-kubernetes-service-cluster-backup",),
    leads_to=("aso.not_ready",),
    ask="az dataprotection backup-policy list -g {resource_group} --vault-name {name} -o table",
)
