from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubelogin is not installed on this machine, which the kubeconfig needs to sign in",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)executable kubelogin not found|exec: \"kubelogin\": executable file not found|kubelogin is not installed which is required",
            says="kubelogin is not found",
            sample="Unable to connect to the server: getting credentials: exec: executable kubelogin not found",
            near_miss="Unable to connect to the server: getting credentials: exec: executable gke-gcloud-auth-plugin not found",
        ),
    ),
    why="The kubeconfig of a cluster with Entra ID signs in through the program kubelogin. Without it in PATH every kubectl call ends before it reaches the cluster.",
    remedy=(
        Step(
            "Install it.",
            run=(
                "az",
                "aks",
                "install-cli",
            ),
            risk=Risk.SAFE,
            verify="kubelogin --version answers",
        ),
        Step(
            "Convert the kubeconfig to the sign-in of the Azure CLI.",
            run=(
                "kubelogin",
                "convert-kubeconfig",
                "-l",
                "azurecli",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/kubelogin-authentication",),
    leads_to=("kubernetes.kubeconfig_rejected",),
)
