from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A tool of AKS on Azure Local was started in a session without a console (stdin: the handle is invalid)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)read /dev/stdin: The handle is invalid",
            says="the tool had no console",
            sample="GetRelease error returned by API call: run: read /dev/stdin: The handle is invalid.",
            near_miss="GetRelease done",
        ),
    ),
    why="The download and KVA tools of AksHci read from a console. In a remote session, a scheduled task or a script of Windows Admin Center without one, the read fails and the step ends although nothing is wrong with its input.",
    remedy=(
        Step(
            "Run the same command in an elevated PowerShell window on a node of the cluster itself (console or RDP), with the latest AksHci modules.",
            run=(
                "powershell",
                "-Command",
                "Install-AksHci",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the command ends without 'The handle is invalid'",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-windows-admin-center",),
)
