from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An old node holds up the upgrade of an AKS cluster: its machine stays in phase Deleting",
    severity=Severity.WARNING,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"\bmoc://\S{1,80} +Deleting +\S{1,12} +v?\d+\.\d+",
            says="a machine is in phase Deleting",
            sample="wl1-linuxpool-x2-7fzgk wl1 moc-l9 moc://moc-l9 Deleting 5h v1.24.9",
            near_miss="wl1-linuxpool-x2-7fzgk wl1 moc-l9 moc://moc-l9 Running 5h v1.24.9",
            weight=TYPICAL,
        ),
    ),
    why="During an upgrade of AKS on Azure Stack HCI or Windows Server each machine of the old version is drained and deleted. One stays in Deleting, mostly because a pod of it cannot be stopped or moved: the kube-proxy or pause image was collected, or a disruption budget allows none.",
    remedy=(
        Step(
            "See the machines of the management cluster.",
            run=(
                "powershell",
                "-Command",
                "kubectl --kubeconfig (Get-KvaConfig).kubeconfig get machines -A -o wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Pull the missing image on that node (crictl pull ecpacr.azurecr.io/kube-proxy:<version>), or free its pods; the machine is deleted then and the upgrade goes on.",
            risk=Risk.DISRUPTIVE,
            verify="get machines wants no machine in Deleting",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-upgrade",),
    ask="powershell -Command kubectl --kubeconfig (Get-KvaConfig).kubeconfig get machines -A",
)
