from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program that azd needs for this project is not installed, or too old",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)required external tools are missing: ?(?:- )?(?P<tool>[\w .-]{1,40}?) is not installed|required external tools are missing: ?(?:- )?need at least (?P<version>[\w .-]{1,60})",
            says="{tool}{version} is missing",
            sample="ERROR: failed invoking event handlers for 'postprovision', required external tools are missing: - Docker is not installed, see https://aka.ms/azure-dev/docker-install to install",
            near_miss="required external tools: Docker is installed",
            unless=r"(?i)missing: ?(?:- )?kubelogin",
        ),
    ),
    why="azd calls other programs for the services of azure.yaml: docker to build images, kubectl, kubelogin and helm for AKS, a package manager for each language, terraform where that is the provider. It looks for them in PATH before the step that needs them; what Azure was asked for before is done.",
    remedy=(
        Step(
            "Install the program that the message names, open a new shell, and run the step again.",
            verify="the step of azd passes",
        ),
        Step("On a build agent install it in a step before azd, or use an image that has it."),
    ),
    docs=("https://learn.microsoft.com/azure/developer/azure-developer-cli/troubleshoot",),
)
