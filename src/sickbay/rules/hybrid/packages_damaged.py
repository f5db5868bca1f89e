from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Packages of AKS or MOC arrive damaged: the download is cut or changed on its way (hash mismatch)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Get(?:Release|Catalog)\b.{0,200}?(?:hash mismatch|corrupted download)|Corrupted download: ExpectedSize=\d+",
            says="a package did not arrive as it was sent",
            sample="GetRelease error returned by API call: run: Corrupted download: ExpectedSize=60633811 SavedSize=40422540",
            near_miss="GetRelease: download complete, ExpectedSize=60633811 SavedSize=60633811",
        ),
    ),
    why="Install-AksHci, Install-Moc and their updates fetch packages of several gigabytes in ten parallel pieces and compare size and hash. A slow or limited line, a proxy that changes or cuts what passes, or slow storage leaves a piece short, and the package is thrown away (Corrupted download, File download error: Hash mismatch).",
    remedy=(
        Step(
            "Clear what the failed attempt left.",
            run=(
                "powershell",
                "-Command",
                "Uninstall-AksHci",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Set fewer parallel downloads, with the settings that you used before.",
            run=(
                "powershell",
                "-Command",
                "Set-AksHciConfig",
                "-concurrentDownloads",
                "1",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Exempt *.dl.delivery.mp.microsoft.com and msk8s.api.cdp.microsoft.com from inspection by the proxy, and install again.",
            run=(
                "powershell",
                "-Command",
                "Install-AksHci",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-AksHciVersion shows the release",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",),
    ask="powershell -Command Get-AksHciConfig",
)
