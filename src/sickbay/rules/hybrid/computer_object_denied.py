from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The failover cluster may not create the computer object of the MOC cloud agent in Active Directory",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)failed to create its associated computer object in domain|error occurred while attempting to create (?:the )?computer object\b|Unable to create computer account on server|computer object associated with the resource could not be (?:created|updated)|registering the resource name as a computer object with the domain controller|Cluster (?:Computer|Name) Object has permissions to create",
            says="the name of the cloud agent was not registered in the domain",
            sample="Install-Moc failed. Exception [This typically indicates an issue happened while registering the resource name as a computer object with the domain controller and/or the DNS server.]",
            near_miss="Install-Moc registered the resource name in the domain",
        ),
    ),
    why="The cloud agent is a clustered role with a computer object of its own. The object of the failover cluster must be allowed to create computer objects in its organisational unit, or the object must be prestaged; DNS must take its name as well.",
    remedy=(
        Step(
            "Grant the cluster object Create Computer Objects and Read All Properties on its organisational unit, or prestage the object of the cloud agent (Set-AksHciConfig -clusterRoleName).",
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
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",
        "https://learn.microsoft.com/windows-server/failover-clustering/prestage-cluster-adds",
    ),
)
