from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The .azure folder of the Azure CLI is closed to this user (owned by root after sudo, or read-only)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?:Permission denied|Access is denied|Read-only file system):? '?(?P<path>[^' ]{0,200}[/\\]\.azure(?:[/\\][^' ]{0,200})?)'?|open (?P<opened>\S{0,200}[/\\]\.azure[/\\]\S{1,200}): (?:permission denied|access is denied|read-only file system)",
            says="the CLI may not use {path}",
            sample="[Errno 13] Permission denied: '/home/jane/.azure/azureProfile.json'",
            near_miss="[Errno 13] Permission denied: '/home/jane/notes.txt'",
        ),
    ),
    why="The Azure CLI keeps its sign-in, extensions and the helm, kubectl and proxy programs under .azure of the user's home. After a run with sudo the files belong to root; in a container or a service account the home may be read-only or missing.",
    remedy=(
        Step(
            "Give the folder back to the user.",
            run=(
                "sudo",
                "chown",
                "-R",
                "<user>",
                "<home>/.azure",
            ),
            risk=Risk.SAFE,
            verify="az account show answers",
        ),
        Step(
            "Or name a folder that can be written, in AZURE_CONFIG_DIR (extensions: AZURE_EXTENSION_DIR).",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/azure-cli-configuration",),
    leads_to=(
        "host.helm_unusable",
        "arc.chart_pull_blocked",
        "host.cli_extension_uninstallable",
    ),
)
