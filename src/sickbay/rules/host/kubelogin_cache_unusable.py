from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubelogin cannot keep its token cache: the container or machine has no keyring that it may use",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"persistent storage isn't available due to error|couldn't get the user keyring due to error|failed to create cache: .{0,80}?(?:keyring|keychain|persistent)",
            says="there is no keyring for the tokens",
            sample='Error: failed to create azidentity credential: failed to create cache: persistent storage isn\'t available due to error "couldn\'t get the user keyring due to error \\"operation not permitted\\""',
            near_miss="Error: failed to create azidentity credential: unknown login method",
        ),
    ),
    why="Since its versions 0.2 kubelogin keeps its tokens in the keyring of the user. In a container or a pipeline the kernel forbids the keyring calls (operation not permitted, function not implemented), and some of these versions end there instead of going on without a cache.",
    remedy=(
        Step(
            "Install a current kubelogin, which goes on without a keyring.",
            run=("az", "aks", "install-cli"),
            risk=Risk.SAFE,
            verify="kubelogin --version",
        ),
        Step(
            "Or sign in with what the Azure CLI has, which needs no cache.",
            run=("kubelogin", "convert-kubeconfig", "-l", "azurecli"),
            risk=Risk.SAFE,
            verify="kubectl get nodes answers",
        ),
        Step(
            "Or allow keyctl in the seccomp profile of the container in which the pipeline runs.",
        ),
    ),
    docs=("https://azure.github.io/kubelogin/",),
    leads_to=("kubernetes.kubeconfig_rejected",),
)
