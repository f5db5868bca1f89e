from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A group policy forbids BitLocker to store its recovery key in Active Directory, so volumes are not encrypted",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"(?i)Group policy does not permit the storage of recovery information to Active Directory|Failed backing-up recovery key Id\b",
            says="the recovery key may not be stored in Active Directory",
            sample="Failed backing-up recovery key Id for C:\\ClusterStorage\\UserStorage_1 EXCEPTION DETAILS:Group policy does not permit the storage of recovery information to Active Directory. The operation was not attempted.",
            near_miss="Group policy permits the storage of recovery information",
        ),
    ),
    why="Azure Local encrypts its cluster volumes and backs the recovery keys up in Active Directory. Windows refuses that where the policy for BitLocker does not allow it: a group policy of the domain switches it off, or the security baseline of the node was applied only in part (24H2).",
    remedy=(
        Step(
            "See which policies reach the node.",
            run=("powershell", "-Command", "gpresult /h gpresult.html"),
            risk=Risk.READ,
        ),
        Step(
            "Keep group policies off the organizational unit of the nodes, or allow in them that recovery keys of fixed drives are stored in AD DS; then renew the policies.",
            run=("powershell", "-Command", "gpupdate /force"),
            risk=Risk.SAFE,
        ),
        Step(
            "Where no policy is in the way, apply the security baseline of the node again, and resume the deployment or the scale-out.",
            verify="Get-BitLockerVolume wants ProtectionStatus On",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/manage/manage-bitlocker",
        "https://github.com/Azure/AzureLocal-Supportability",
    ),
    ask="powershell -Command gpresult /r",
    leads_to=("hybrid.update_step_failed",),
)
