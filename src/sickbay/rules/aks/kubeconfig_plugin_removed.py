from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubeconfig signs in by the azure auth plugin, which kubectl no longer has",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)The azure auth plugin has been removed|no Auth Provider found (?:for name \"?azure|fo?r?$)|azure auth plugin is deprecated in .{0,40}? unavailable",
            says="the kubeconfig asks for the azure auth provider",
            sample="error: The azure auth plugin has been removed. Please use the https://github.com/Azure/kubelogin kubectl/client-go credential plugin instead.",
            near_miss="The azure auth plugin is at hand",
        ),
    ),
    why="kubectl 1.26 and the client libraries of that time removed the provider `azure`. A kubeconfig that still has auth-provider: azure must be rewritten to the exec form, in which kubelogin fetches the token.",
    remedy=(
        Step(
            "Rewrite the kubeconfig.",
            run=(
                "kubelogin",
                "convert-kubeconfig",
                "-l",
                "azurecli",
            ),
            risk=Risk.SAFE,
            verify="kubectl get nodes wants an answer without this message",
        ),
        Step(
            "Where kubelogin is not at hand, install it: az aks install-cli.",
            run=(
                "az",
                "aks",
                "install-cli",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://azure.github.io/kubelogin/concepts/aks.html",
        "https://learn.microsoft.com/azure/aks/kubelogin-authentication",
    ),
)
