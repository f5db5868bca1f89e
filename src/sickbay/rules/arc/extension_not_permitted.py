from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The extension may not be installed on a resource bridge: only approved extensions are permitted",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)extension is not permitted on Azure Arc Resource Bridge|Only Azure Arc resource bridge approved extensions",
            says="the extension is not approved for a bridge",
            sample="Extension installation failed. The specified extension is not permitted on Azure Arc Resource Bridge. Only Azure Arc resource bridge approved extensions can be installed.",
            near_miss="Extension installation succeeded on Azure Arc Resource Bridge",
        ),
    ),
    why="A resource bridge takes only the extensions of the private clouds (VMware, SCVMM, Azure Local, diagnosis). Others belong on an Arc-enabled Kubernetes cluster.",
    remedy=(
        Step(
            "Install the extension on a connected cluster instead.",
            run=(
                "az",
                "k8s-extension",
                "create",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "connectedClusters",
                "-n",
                "<name>",
                "--extension-type",
                "<type>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/extensions-troubleshooting",
    ),
)
