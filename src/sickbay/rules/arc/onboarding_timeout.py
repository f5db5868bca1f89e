from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Connecting to Arc, or updating its agents, ended in a Helm timeout: the agents were not ready in time",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"\bAZK8S0514\b|(?i:Azure Arc agent install did not finish before the Helm timeout)|(?i:(?:Unable to install helm release|Error while (?:updating|upgrading) agents)\b.{0,300}?(?:time(?:d)? out waiting|deadline exceeded))|(?i:Failed to wait for addon arc-onboarding|A possible cause for pods stuck in pending state could be insufficient resources on the kubernetes cluster to onboard to arc)|(?i:Read-only cluster checks after Helm timeout)",
            says="the agents were not ready before the Helm timeout",
            sample="[AZK8S0514] Azure Arc agent install did not finish before the Helm timeout. Retry onboarding, or inspect the 'azure-arc' namespace for pods that are not ready.",
            near_miss="Azure Arc agent install finished",
            weight=SYMPTOM,
        ),
    ),
    why="`az connectedk8s` (connect, update, upgrade, enable-features) installs the agents with Helm and waits. A generic Helm timeout (AZK8S0514, GenericHelmTimeout) only says that pods in azure-arc were not ready in time: they could not be scheduled, their images were not pulled, their identity certificate did not arrive, or the way to Azure is blocked.",
    remedy=(
        Step(
            "See the agents.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "azure-arc",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read the events there.",
            run=(
                "kubectl",
                "get",
                "events",
                "-n",
                "azure-arc",
                "--sort-by=.lastTimestamp",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the CLI examine the cluster.",
            run=(
                "az",
                "connectedk8s",
                "troubleshoot",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/diagnose-connection-issues",
    ),
)
