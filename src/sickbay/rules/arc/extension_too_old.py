from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The arcappliance CLI extension is too old for the release that it should install",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Unable to find file release:? ",
            says="the extension asks for an image file that the release does not have",
            sample="(DownloadError) Error downloading file release information.: Unable to find file release: ^mariner-2-0-(.*)-vhdx-rpm-(.*)$ with version: in product release: arc-appliance-stable-releases",
            near_miss="File release found in product release: arc-appliance-stable-releases",
        ),
        Signature(
            pattern=r"get_login_credentials\(\) got an unexpected keyword argument",
            says="the extension calls the CLI in a way that is gone",
            sample="TypeError: get_login_credentials() got an unexpected keyword argument 'resource'",
            near_miss="get_login_credentials() returned a credential",
        ),
    ),
    why="The extension knows the names of the OS image files of its own time. Asked for a newer appliance release it looks for a file that does not exist there (`Unable to find file release … in product release`), or it passes arguments that the Azure CLI has removed.",
    remedy=(
        Step(
            "See both versions.",
            run=(
                "az",
                "version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Renew the extension.",
            run=(
                "az",
                "extension",
                "add",
                "--upgrade",
                "--name",
                "arcappliance",
            ),
            risk=Risk.SAFE,
            verify="az version wants arcappliance 1.4.1 or later",
        ),
        Step(
            "Repeat the command; on Azure Local update the whole instance instead of upgrading the bridge by CLI.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/upgrade",
    ),
    leads_to=("arc.upgrade_failed",),
    ask="az extension show --name arcappliance --query version",
)
