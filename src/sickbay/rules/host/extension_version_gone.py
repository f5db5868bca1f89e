from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The wanted version of an Azure CLI extension is no longer offered",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Version '?(?P<version>[\w.]+)'? not found for extension '?(?P<extension>[\w-]+)|No suitable extensions? found to install.{0,100}?(?P<name>[\w-]+)|No matching extensions for '?(?P<wanted>[\w-]+)'?|No extension found with name '?(?P<other>[\w-]+)'?",
            says="the extension is not offered in that version",
            sample="ERROR: Version '0.2.29' not found for extension 'arcappliance'",
            near_miss="Version '1.4.1' of extension 'arcappliance' was installed",
        ),
    ),
    why="Old releases of az extensions such as arcappliance, connectedk8s and k8s-runtime are withdrawn from the index. A script that pins one (`Version … not found for extension`) or a CLI too old for any release that is left cannot install it.",
    remedy=(
        Step(
            "See which releases there are.",
            run=(
                "az",
                "extension",
                "list-versions",
                "--name",
                "<extension>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install the newest one instead of the pinned one.",
            run=(
                "az",
                "extension",
                "add",
                "--upgrade",
                "--name",
                "<extension>",
            ),
            risk=Risk.SAFE,
            verify="az extension show --name <extension> --query version wants a listed version",
        ),
        Step(
            "If none is compatible, upgrade the CLI.",
            run=(
                "az",
                "upgrade",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/azure-cli-extensions-overview",),
)
