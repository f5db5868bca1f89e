from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Helm is missing on this machine, or does not fit: too old, too new or for another processor",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S051[01]\b|Helm version .{0,40}?(?:is not supported|too old|or later|at least)|Please install helm|Helm is not installed|(?:Failed to download|Unable to (?:download|install)) helm client|exec: \"helm\": executable file not found|\bhelm: command not found|unknown command \"chart\" for \"helm\"|Exec format error: '?\S{0,200}helm\b|The term 'helm' is not recognized|Could not resolve helm binary|Failed to extract helm executable|Failed to create helm directory|\bAZK8S0504\b|HelmNotInstalled|HelmVersionTooOld|Helm version 3\+ is required|Helm ?3 not found",
            says="helm cannot be used",
            sample="[AZK8S0511] HelmVersionTooOld: The installed Helm version is too old. Please ensure that you have installed the latest Helm version",
            near_miss="helm version v3.14.2 is installed",
        ),
    ),
    why="az connectedk8s installs the agents as a Helm release and brings its own Helm client. The download of that client is blocked, it is made for another processor (Exec format error), HELM_CLIENT_PATH names a Helm that is missing or too old, or an old version of the extension meets a Helm 3.7 or later that no longer has `helm chart`.",
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
            "Update the connectedk8s extension, install a current Helm 3 for this processor, set HELM_CLIENT_PATH to it or unset it if it names an old one, and allow the download hosts of the CLI.",
        ),
        Step(
            "Repeat the command.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://helm.sh/docs/intro/install/",
    ),
    leads_to=("arc.chart_pull_blocked",),
)
