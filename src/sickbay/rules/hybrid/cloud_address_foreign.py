from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The MOC cloud agent has no address that fits a client network of the failover cluster",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)A matching cluster network for the specified IP address could not be found|Unable to save property changes for 'IPv4 Address |Static network (?P<network>[\d.]{7,15}(?:/\d{1,2})?) was not configured",
            says="no cluster network holds the address[: {network} has no DHCP and no address was given]",
            sample="Install-Moc failed. Exception [Unable to save property changes for 'IPv4 Address 10.168.18.0'.] InnerException[A matching cluster network for the specified IP address could not be found]",
            near_miss="Install-Moc: the cluster network for the IP address was found",
        ),
        Signature(
            pattern=r"(?i)Could not create the failover cluster generic role",
            says="the role of the cloud agent could not be created",
            sample="Install-Moc failed with error - Exception [Could not create the failover cluster generic role.]",
            near_miss="Created the failover cluster generic role.",
            weight=TYPICAL,
        ),
    ),
    why="The cloud agent gets an address of its own (cloudServiceIP). It must lie in a network of the failover cluster whose role is ClusterAndClient, and it must be given where that network has no DHCP; otherwise the role cannot be created.",
    remedy=(
        Step(
            "See the networks of the cluster and their roles.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterNetwork | Format-Table Name,Address,AddressMask,Role",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give -cloudServiceIP an address inside one with the role ClusterAndClient.",
            run=(
                "powershell",
                "-Command",
                "New-AksHciNetworkSetting",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Remove what the failed attempt left, and install again.",
            run=(
                "powershell",
                "-Command",
                "Uninstall-AksHci",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",),
    ask="powershell -Command Get-ClusterNetwork",
)
