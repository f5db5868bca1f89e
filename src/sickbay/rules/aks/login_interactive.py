from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubectl or Helm waits for an interactive sign-in (device code) that nobody answers, as in a pipeline",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)waiting for device code authentication to com|devicetoken: Error while retrieving OAuth token|DeviceCodeCredential.{0,120}?(?:deadline|timed? ?out|expired)|AADSTS(?:70016|70020|50199)\b|devicelogin and enter the code \w{1,20} to authenticate\.? .{0,200}?(?:was cancell?ed|timed out|deadline exceeded)|device code has expired|Can't open browser|unable to open browser.{0,80}?(?:kubelogin|sign in)",
            says="the device code was not entered in time",
            sample="E0402 21:13:13.699661    3564 azure.go:126] Failed to acquire a token: acquiring a new fresh token: waiting for device code authentication to complete: autorest/adal/devicetoken: Error while retrieving OAuth token: Code Expired",
            near_miss="To sign in, use a web browser to open the page https://microsoft.com/devicelogin and enter the code ABC to authenticate.",
            weight=TYPICAL,
        ),
    ),
    why="The kubeconfig of a cluster with Entra ID asks for a sign-in by device code unless it is told otherwise. A pipeline, a cron job or Terraform has nobody who would open the page, so the code expires.",
    remedy=(
        Step(
            "Convert the kubeconfig to a sign-in without a person: of the Azure CLI, of a service principal or of a workload identity.",
            run=("kubelogin", "convert-kubeconfig", "-l", "azurecli"),
            risk=Risk.SAFE,
            verify="kubectl get nodes answers without a prompt",
        ),
        Step(
            "In Azure Pipelines choose the service connection of Azure Resource Manager, whose identity has a role on the cluster."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/kubelogin-authentication",),
    leads_to=("kubernetes.kubeconfig_rejected",),
    ask="kubectl config view --minify",
)
