from sickbay.rulekit import TYPICAL, Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A hook script of azd failed (preprovision, postprovision, predeploy …), not the deployment",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)'(?P<hook>(?:pre|post)\w+)' hook failed with exit code|failed running (?P<when>pre|post) hooks|failed running scripts for hooks|hook configuration for '(?P<named>\w+)' is invalid|failed to run (?:pre|post)\w+ hook",
            says="the hook {hook}{named} failed",
            sample="ERROR: failed running post hooks: 'postprovision' hook failed with exit code: '1', Path: '/tmp/azd-postprovision-1.sh'. : exit code: 1",
            near_miss="SUCCESS: the postprovision hook ran with exit code: 0",
            weight=TYPICAL,
            vague=True,
        ),
    ),
    why="azd runs the scripts that azure.yaml names before and after its own steps. A program that the script needs is not installed (pwsh where the hook asks for it, python, jq, kubectl), the hook lacks `run` or its `shell` does not fit the system, or the script met an error of its own; after a post hook the resources in Azure are made already.",
    remedy=(
        Step("Read the lines of the script above the error: what failed there is the cause."),
        Step(
            "See that the hook of azure.yaml has `run` and a `shell` that this machine has (sh, or pwsh with PowerShell 7 installed).",
        ),
        Step(
            "Run the hook alone until it passes: `azd hooks run <hook>`.",
            verify="azd hooks run ends without an error",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/developer/azure-developer-cli/azd-extensibility",
        "https://learn.microsoft.com/azure/developer/azure-developer-cli/troubleshoot",
    ),
)
