from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Windows Admin Center cannot load its AKS extension (msft.sme.aks)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bmsft\.sme\.aks\b.{0,60}?(?:couldn't load|could not (?:be )?load|can't (?:be )?load|cannot (?:be )?load|failed to load|did not load)",
            says="the AKS extension did not load",
            sample="Windows Admin Center: msft.sme.aks couldn't load",
            near_miss="Windows Admin Center: msft.sme.aks loaded",
            weight=TYPICAL,
        ),
    ),
    why="The pages for AKS are an extension of Windows Admin Center that the browser downloads from it. An old browser, a damaged download, a version that does not fit, or a folder of an earlier installation that it expects on each node (the AksHci module) keeps the extension from starting.",
    remedy=(
        Step(
            "Open Windows Admin Center in a current Edge or Chrome, with its cache cleared.",
            risk=Risk.SAFE,
            verify="the tool Azure Kubernetes Service opens",
        ),
        Step(
            "Install the extension anew: Settings, Extensions, uninstall Azure Kubernetes Service, then install its newest version.",
            risk=Risk.SAFE,
        ),
        Step(
            "See that the module is on every node.",
            run=("powershell", "-Command", "Get-Module -ListAvailable AksHci"),
            risk=Risk.READ,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-windows-admin-center",),
    ask="powershell -Command Get-Module -ListAvailable AksHci",
)
