from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubeconfig cannot be written: the folder .kube of the user does not exist (Get-AksHciCredential)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)open \S{0,120}?[\\/]\.kube[\\/]config\S{0,20}?:? The system cannot find the path specified",
            says="the folder .kube is missing",
            sample="Error: open C:\\Users\\adm\\.kube\\config: The system cannot find the path specified.",
            near_miss="Wrote C:\\Users\\adm\\.kube\\config",
        ),
    ),
    why="Get-AksHciCredential writes the kubeconfig to the folder .kube in the profile of the user who runs it. For another administrator than the one who installed AKS the folder is not there yet, and the command does not make it.",
    remedy=(
        Step(
            "Make the folder, then get the credentials again.",
            run=(
                "powershell",
                "-Command",
                "New-Item -ItemType Directory -Force $HOME/.kube",
            ),
            risk=Risk.SAFE,
            verify="Get-AksHciCredential -name <cluster> writes the file",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-security",),
)
