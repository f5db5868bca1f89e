from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="There is no AKS Edge Essentials deployment on this machine, which the cmdlet needs first",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Please create a deployment before using this commandlet|\bAksEdge\b.{0,80}?\bno (?:existing )?deployment (?:was |is )?found",
            says="the cmdlet finds no deployment",
            sample="Please create a deployment before using this commandlet.",
            near_miss="The deployment was created, and this commandlet can be used",
            weight=TYPICAL,
        ),
    ),
    why="Cmdlets that scale out, connect to Arc or write a join configuration (New-AksEdgeScaleConfig, ScaleConfigJoin.json) read the deployment of the machine on which they run. They find none where New-AksEdgeDeployment has not ended well yet, has failed and was rolled back, or ran on another machine.",
    remedy=(
        Step(
            "See whether this machine has a deployment and a node.",
            run=("powershell", "-Command", "Get-AksEdgeDeploymentInfo"),
            risk=Risk.READ,
        ),
        Step(
            "Deploy, or wait until the deployment has ended; then run the cmdlet on the first machine of the cluster.",
            run=(
                "powershell",
                "-Command",
                "New-AksEdgeDeployment -JsonConfigFilePath aksedge-config.json",
            ),
            risk=Risk.SAFE,
            verify="Get-AksEdgeDeploymentInfo names the deployment",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/aks-edge-howto-scale-out",
        "https://learn.microsoft.com/azure/aks/aksarc/aks-edge-troubleshoot-overview",
    ),
    ask="powershell -Command Get-AksEdgeDeploymentInfo",
    leads_to=("hybrid.edge_failed",),
)
