from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The update package of Azure Local cannot be unpacked: the update service runs without long paths",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)Could not find a part of the path \W?[A-Z]:\\ClusterStorage\\[^'\"]{0,200}?\\Updates\\Packages\\(?P<package>[\w.]{3,60})",
            says="a file of {package} could not be written",
            sample="Could not find a part of the path 'C:\\ClusterStorage\\Infrastructure_1\\Shares\\SU1_Infrastructure_1\\Updates\\Packages\\Solution12.2510.1002.94\\Platform\\ISO\\sources\\replacementmanifests\\microsoft-windows-appx-deployment-server\\microsoft.windows.secondarytileexperience.xml'.",
            near_miss="Unpacked 'C:\\ClusterStorage\\Infrastructure_1\\Shares\\SU1_Infrastructure_1\\Updates\\Packages\\Solution12.2510.1002.94'",
            weight=TYPICAL,
        ),
    ),
    why="The package holds files whose path is longer than 260 characters. After an upgrade of the operating system the update service can still run with the old setting, so that unpacking stops at the first such file and the update ends as PreparationFailed.",
    remedy=(
        Step(
            "See the setting on every machine; it must be 1.",
            run=(
                "powershell",
                "-Command",
                "Invoke-Command (Get-ClusterNode).Name { Get-ItemProperty HKLM:\\SYSTEM\\CurrentControlSet\\Control\\FileSystem -Name LongPathsEnabled }",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Where it is 0, set it.",
            run=(
                "powershell",
                "-Command",
                "Set-ItemProperty HKLM:\\SYSTEM\\CurrentControlSet\\Control\\FileSystem -Name LongPathsEnabled -Value 1",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Start the update service anew by moving it to another machine, then resume the update.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterGroup 'Azure Stack HCI Update Service Cluster Group' | Move-ClusterGroup",
            ),
            risk=Risk.SAFE,
            verify="Get-SolutionUpdate wants a state after PreparationFailed",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",),
    leads_to=("hybrid.update_readiness", "hybrid.update_step_failed"),
    ask="powershell -Command Get-SolutionUpdateRun",
)
