from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="PowerShell cannot get modules from the PowerShell Gallery on this machine",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)No match was found for the specified search criteria (?:and module name|for the provider)|'?Install-(?:Module|PackageProvider)'? (?:was|is) not recognized as the name of a cmdlet|with PowerShellGetFormatVersion '[\d.]{1,8}' is not supported by the current version|Unable to resolve package source 'https://www\.powershellgallery\.com|Unable to download from URI '?https://(?:go\.microsoft\.com|\S*powershellgallery)",
            says="a module or provider was not found in the gallery",
            sample="RemoteException: No match was found for the specified search criteria and module name 'AksHci'. Try Get-PSRepository to see all available registered module repositories.",
            near_miss="Installed module 'AksHci' from PSGallery",
            weight=TYPICAL,
        ),
    ),
    why="Install-Module asks www.powershellgallery.com and, for the NuGet provider, go.microsoft.com. Behind a proxy, without TLS 1.2 or with no repository registered it answers that no match was found; a PowerShellGet that is too old for the format of a module refuses it. Windows Admin Center has no way to install modules through a proxy.",
    remedy=(
        Step(
            "See whether the gallery is registered.",
            run=(
                "powershell",
                "-Command",
                "Get-PSRepository",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Reach it from here.",
            run=(
                "Test-NetConnection",
                "www.powershellgallery.com",
                "-Port",
                "443",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use TLS 1.2, register the gallery again, and pass the proxy.",
            run=(
                "powershell",
                "-Command",
                "Register-PSRepository",
                "-Default",
            ),
            risk=Risk.SAFE,
            verify="Find-Module AksHci finds the module",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-windows-admin-center",
        "https://learn.microsoft.com/powershell/gallery/powershellget/install-powershellget",
    ),
    ask="powershell -Command Get-PSRepository",
)
