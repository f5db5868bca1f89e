from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An extension of the Azure CLI cannot be installed: its pip step failed",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)An error occurred\. Pip failed with status code \d+|cli\.azure\.cli\.core\.extension.{0,200}?(?:Pip failed|No matching distribution found|Could not install packages)",
            says="pip could not install the extension",
            sample="ERROR: An error occurred. Pip failed with status code 1. Use --debug for more information.",
            near_miss="Successfully installed connectedk8s-1.10.4",
            weight=TYPICAL,
        ),
    ),
    why="az extension add runs pip inside the CLI. It fails when the index or the file cannot be reached or trusted (proxy, TLS inspection), when the folder cliextensions is not writable or its files are in use, when another Python disturbs it, or when a dependency has no build for this version of Python.",
    remedy=(
        Step(
            "Repeat with the details of pip.",
            run=("az", "extension", "add", "--name", "<extension>", "--upgrade", "--debug"),
            risk=Risk.SAFE,
        ),
        Step(
            "Close other shells with az, remove the folder of the extension below .azure/cliextensions, unset PYTHONPATH and PYTHONHOME, and install it again.",
            verify="az extension list shows the extension",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/azure-cli-extensions-overview",),
    leads_to=("hybrid.update_step_failed",),
    ask="az extension add --name <extension> --upgrade --debug",
)
