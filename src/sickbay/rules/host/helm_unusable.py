from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Helm is missing on this machine, or too old for the onboarding to Arc",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S051[01]\b|Helm version .{0,40}?(?:is not supported|too old|or later|at least)|Please install helm|Helm is not installed|(?:Failed to download|Unable to (?:download|install)) helm client|exec: \"helm\": executable file not found|\bhelm: command not found|The term 'helm' is not recognized",
            says="helm cannot be used",
            sample="[AZK8S0511] HelmVersionTooOld: The installed Helm version is too old. Please ensure that you have installed the latest Helm version",
            near_miss="helm version v3.14.2 is installed",
        ),
    ),
    why="az connectedk8s installs the agents as a Helm release and brings its own Helm client. The download of that client is blocked, or HELM_CLIENT_PATH names a Helm that is missing or too old.",
    remedy=(
        Step(
            "See the version.",
            run=(
                "helm",
                "version",
                "--short",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install a current Helm 3, unset HELM_CLIENT_PATH if it names an old one, and allow the download hosts of the CLI.",
        ),
        Step(
            "Repeat the command.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://helm.sh/docs/intro/install/",
    ),
)
