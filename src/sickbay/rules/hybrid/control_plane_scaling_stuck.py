from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An AKS cluster on Azure Stack HCI or Windows Server stays in the state ScalingControlPlane",
    severity=Severity.WARNING,
    categories=(
        Category.SCALING,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)ProvisioningState\W{1,30}ScalingControlPlane\b|stuck in (?:the )?\W{0,2}ScalingControlPlane",
            says="the cluster is in ScalingControlPlane",
            sample="ProvisioningState : ScalingControlPlane",
            near_miss="ProvisioningState : Deployed",
            weight=TYPICAL,
        ),
    ),
    why="A condition of an old repair (MachineOwnerRemediatedCondition) is left on a control plane machine, so Cluster API never counts it as ready and the cluster stays in ScalingControlPlane. Later releases clean it up.",
    remedy=(
        Step(
            "See the machines and their conditions.",
            run=(
                "powershell",
                "-Command",
                "kubectl --kubeconfig (Get-KvaConfig).kubeconfig get machines -A -o wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Update AKS to the latest release; if it stays, have support remove the condition from the machine.",
            run=(
                "powershell",
                "-Command",
                "Update-AksHci",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-AksHciCluster wants ProvisioningState Deployed",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-networking",),
    ask="powershell -Command kubectl --kubeconfig (Get-KvaConfig).kubeconfig get machines -A",
)
