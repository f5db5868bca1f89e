from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An add-on of an AKS cluster on Azure Local did not become ready in time (AddonNotReady)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bAddonNotReady\b|(?i:\badd-?on (?:\w+ )?(?:is )?not ready\b)",
            says="an add-on is not ready",
            sample="AddonNotReady: CloudProvider addon not ready: daemonset cloud-node-manager 1/2 ready",
            near_miss="CloudProvider addon ready",
            unless=r"ProviderCSIDriver",
            weight=TYPICAL,
        ),
    ),
    why="After the nodes are up, the operator installs add-ons such as cloud provider, CSI driver, CNI and Arc agents, and waits for their pods. One that does not become ready - no image, no address, no room on the nodes - keeps the cluster or pool from Succeeded.",
    remedy=(
        Step(
            "See the pods that do not run.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "--field-selector=status.phase!=Running",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove what holds up the pods of the add-on, then wait or create the cluster again.",
            risk=Risk.DISRUPTIVE,
            verify="az aksarc show -g {resource_group} -n {name} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-troubleshoot",),
    ask="kubectl get pods -A",
    vague=True,
)
