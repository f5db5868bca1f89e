from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The installation of the Azure CLI is damaged: its Python or one of its modules is missing",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Library not loaded:.{0,300}?azure-cli|azure-cli.{0,200}?(?:bad interpreter|Library not loaded)|DLL load failed while importing (?P<module>win32\w*|pywintypes|_\w+)|No module named '?pkg_resources'?.{0,300}?(?:azure-cli|/knack/)|(?:azure-cli|/opt/az/|azure[\\/]cli[\\/]core|[\\/]knack[\\/]).{0,800}?No module named '?(?:pkg_resources|distutils|imp|six|pip)\b|No module named '_\w+' Traceback.{0,400}?(?:[\\/]knack[\\/]|azure[\\/]cli[\\/]core)|/python[\d.]*: No module named azure\b|Error while finding module specification for 'azure\.cli'",
            says="the Azure CLI does not start",
            sample="az login ImportError: DLL load failed while importing win32file: The specified module could not be found.",
            near_miss="az login succeeded",
            weight=TYPICAL,
        ),
    ),
    why="The Azure CLI brings its own Python. After an update over an open CLI, a removed or upgraded system Python (Homebrew, pip), or an installer that left files out, modules such as win32file, pkg_resources or azure.cli itself are not found, and every command ends at once.",
    remedy=(
        Step(
            "See which az is called.",
            run=(
                "az",
                "--version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Uninstall the Azure CLI, delete its folder, and install the current version (winget, MSI, Homebrew or the package of the distribution).",
        ),
        Step(
            "Bring the extensions back.",
            run=(
                "az",
                "extension",
                "add",
                "--upgrade",
                "--name",
                "connectedk8s",
            ),
            risk=Risk.SAFE,
            verify="az --version lists it",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/install-azure-cli",),
    leads_to=(
        "host.cli_extension_broken",
        "kubernetes.program_incomplete",
    ),
    ask="az --version",
)
