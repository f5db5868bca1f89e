from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubelogin refuses the login method: it is too old for it, or the name of the method is wrong",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)\W(?:spn|devicecode|azurecli|msi|ropc|interactive|workloadidentity|azd|azuredeveloper\w*)\W{1,3}is not supported yet|is not a supported login method|unknown flag: --(?:pop-enabled|pop-claims|azure-config-dir|federated-token-file|disable-instance-discovery|disable-environment-override|redirect-url|login-hint)\b|kubelogin.{0,200}?unsupported token provider|kubelogin.{0,200}?invalid (?:login|token) (?:method|mode)",
            says="kubelogin refuses the login method",
            sample='Error: "spn" is not supported yet',
            near_miss="kubelogin convert-kubeconfig -l spn",
        ),
    ),
    why="kubelogin signs in by one of several methods (devicecode, interactive, spn, azurecli, msi, workloadidentity, azd), which came with its versions. A release that lacks the method, or one (0.0.14) that refused to convert a kubeconfig a second time, ends before any token is asked for.",
    remedy=(
        Step(
            "See the version and its methods.",
            run=(
                "kubelogin",
                "convert-kubeconfig",
                "--help",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install a current kubelogin.",
            run=(
                "az",
                "aks",
                "install-cli",
            ),
            risk=Risk.SAFE,
            verify="kubelogin --version",
        ),
        Step(
            "Convert the kubeconfig again, for a login that exists.",
            run=(
                "kubelogin",
                "convert-kubeconfig",
                "-l",
                "azurecli",
            ),
            risk=Risk.SAFE,
            verify="kubectl get nodes answers",
        ),
    ),
    docs=("https://azure.github.io/kubelogin/",),
    leads_to=("kubernetes.kubeconfig_rejected",),
)
