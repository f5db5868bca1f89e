from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Stack HCI or AKS on it is out of policy: it has not reported to Azure for more than 30 days",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Azure (?:Stack HCI|Local)'?s? subscription (?:is|has) expired|run Sync-AzureStackHCI to renew|ConnectionStatus *:? *Out ?of ?Policy|billing .{0,60}?\bOut-?of-?Policy\b|clustered role\w*\W.{0,40}?The service being accessed is licensed for a particular number of connections",
            says="the subscription or billing is out of policy",
            sample="Azure Stack HCI's subscription is expired, run Sync-AzureStackHCI to renew the subscription",
            near_miss="Azure Stack HCI's subscription is active",
        ),
        Signature(
            pattern=r"(?i)cannot create virtual machine:? .{0,80}?Exception occurred\. \(Generic failure|Waiting for deployment 'AksHci Billing Operator' to be ready.{0,200}?(?:timed out|Error)",
            says="machines or the billing operator do not start",
            sample="unable to create appliance VM: cannot create virtual machine: rpc error = unknown desc = Exception occurred. (Generic failure)]",
            near_miss="created appliance VM",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Connection ?Status\W{1,6}Out ?of ?Policy\b|AksHciBilling\w*\b.{0,200}?\bOut-?of-?Policy\b",
            says="billing is out of policy",
            sample="Get-AksHciBillingStatus Connection Status : OutofPolicy",
            near_miss="Get-AksHciBillingStatus Connection Status : Connected",
        ),
        Signature(
            pattern=r"(?i)(?:stuck|hangs?|hung|blocked|sitting|hours?|forever|never)\b.{0,120}?'?AksHci Billing Operator'? to be ready|'?AksHci Billing Operator'? to be ready.{0,120}?(?:stuck|hangs?|hung|blocked|hours?|forever|never)",
            says="the billing operator does not become ready",
            sample="Update-AksHci stuck on \"Waiting for deployment 'AksHci Billing Operator' to be ready...\"",
            near_miss="Waiting for deployment 'AksHci Billing Operator' to be ready...",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\bRegistration ?Status\W{1,14}(?:RegistrationExpired|Expired|Out ?Of ?Policy)\b",
            says="the registration has expired",
            sample="RegistrationStatus : RegistrationExpired",
            near_miss="RegistrationStatus : Registered",
        ),
    ),
    why="Azure Stack HCI starts no new virtual machines when it has not synchronised with Azure for 30 days, and AKS on it is blocked when its billing has not. The status may still say Connected; the event log says that the subscription is expired.",
    remedy=(
        Step(
            "See registration, last connection and the licence of each node.",
            run=(
                "powershell",
                "-Command",
                "Get-AzureStackHCI",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Synchronise the hosts.",
            run=(
                "powershell",
                "-Command",
                "Sync-AzureStackHCI",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Synchronise the billing of AKS.",
            run=(
                "powershell",
                "-Command",
                "Sync-AksHciBilling",
            ),
            risk=Risk.SAFE,
            verify="Get-AksHciBillingStatus wants Connected",
        ),
        Step(
            "If it stays out of policy because no workload cluster was made within 60 days, only a new installation helps.",
            run=(
                "powershell",
                "-Command",
                "Uninstall-AksHci",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-upgrade",
    ),
    ask="powershell -Command Get-AzureStackHCI",
)
