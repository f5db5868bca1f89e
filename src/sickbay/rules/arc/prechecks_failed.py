from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The pre-onboarding checks of Arc failed, so the cluster was not connected (AZK8S0600)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S060[02]\b|One or more pre-onboarding diagnostic checks failed|PrediagnosticsFailed|PostDiagnosticPrecheckFailed|Cluster Diagnostic Prechecks Failed|pre-onboarding diagnostic checks failed",
            says="a check before onboarding failed",
            sample="One or more pre-onboarding diagnostic checks failed and hence not proceeding with cluster onboarding. Please resolve them and try onboarding again.",
            near_miss="The required pre-checks for onboarding have succeeded.",
            weight=SYMPTOM,
        ),
    ),
    why="Before it installs the agents, az connectedk8s runs a job in the cluster that resolves names and calls Arc's endpoints from a pod (pre-onboarding checks). A failed one ends the command; the lines above, and the logs in .azure/pre_onboarding_check_logs, say whether DNS, outbound connectivity, Entra or rights are missing.",
    remedy=(
        Step(
            "Read the results of the checks, in .azure/pre_onboarding_check_logs of the user who ran the command."
        ),
        Step(
            "Mend what they name (DNS, firewall, proxy parameters), and connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="The required pre-checks for onboarding have succeeded.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/diagnose-connection-issues",),
    ask="az connectedk8s troubleshoot -g {resource_group} -n {cluster}",
)
