from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubelogin on this machine is another program of that name, not the one for Azure",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)kubelogin.{0,200}?unknown (?:shorthand )?flag: '?(?:-?l'? in -l|--server-id|--login)|unknown shorthand flag: 'l' in -l.{0,200}?kubelogin|error: unknown shorthand flag: 'l' in -l\b|kubelogin.{0,100}?unknown command \"?convert-kubeconfig|unknown command \"?convert-kubeconfig\"? for \"?kubelogin|error: unknown flag: --server-id\b|unknown flag: --(?:environment|server-id|login|tenant-id|client-id)\b.{0,300}?kubelogin|kubelogin.{0,200}?unknown flag: --(?:environment|tenant-id|client-id)\b",
            says="kubelogin does not know the options for Azure",
            sample="$ kubelogin convert-kubeconfig -l azurecli error: unknown shorthand flag: 'l' in -l",
            near_miss="kubelogin convert-kubeconfig -l azurecli wrote the kubeconfig",
        ),
        Signature(
            pattern=r"(?i)\berror: unknown flag: --environment\b",
            says="a sign-in plugin does not know the option --environment",
            sample="error: unknown flag: --environment",
            near_miss="error: unknown flag: --environments",
            weight=TYPICAL,
        ),
    ),
    why="Two programs are called kubelogin: Azure's, which knows `convert-kubeconfig` and `get-token --server-id`, and one for any OpenID provider, which some package managers install under the same name. The kubeconfig of an AKS cluster needs Azure's.",
    remedy=(
        Step("See which one is found first.", run=("kubelogin", "--version"), risk=Risk.READ),
        Step(
            "Remove the other one, and install Azure's beside kubectl.",
            run=("az", "aks", "install-cli"),
            verify="kubelogin --version names Azure/kubelogin",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/kubelogin-authentication",),
    leads_to=("kubernetes.kubeconfig_rejected",),
    ask="kubelogin --version",
)
