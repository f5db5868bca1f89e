from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubectl could not be installed on, or is missing from, this machine",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"""(?i)Failed to download and install kubectl|Unable to install kubectl|Can ?not find kubectl executable in PATH|kubectl: command not found|The term 'kubectl' is not recognized|exec: \"kubectl\": executable file not found|(?:Deleting Arc CRDs|connectedk8s|kubectl).{0,400}?\[WinError 2\] The system cannot find the file specified""",
            says="kubectl is missing",
            sample="cli.azext_connectedk8s.custom: Failed to download and install kubectl",
            near_miss="cli.azext_connectedk8s.custom: kubectl installed",
        ),
    ),
    why="`az connectedk8s` downloads the kubectl client from dl.k8s.io when it is not there. The download failed, or another program asks for a kubectl that is not in PATH.",
    remedy=(
        Step(
            "Install kubectl; the machine must reach dl.k8s.io.",
            run=(
                "az",
                "aks",
                "install-cli",
            ),
            risk=Risk.SAFE,
            verify="kubectl version --client answers",
        ),
        Step(
            "Repeat the command.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
)
