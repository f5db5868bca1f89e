from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The client library finds no sign-in in the kubeconfig that it can use (exec plugin or provider unknown to it)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"User: (?P<user>\S{1,120}) does not have appropriate auth credentials in kube-?config|Not Yet Implemented: .{0,60}?auth.?provider|Unimplemented auth.?provider",
            says="the user of the kubeconfig has no credential that the library knows",
            sample="k8s.Exceptions.KubeConfigException: User: clusterUser_rg_shop does not have appropriate auth credentials in kubeconfig",
            near_miss="User: clusterUser_rg_shop signed in",
        ),
    ),
    why="The kubeconfig of a cluster with Entra ID holds no certificate or token but tells the client to run kubelogin (or, if it is old, to use the provider azure). A library that knows neither, or is too old for the version of the plugin, finds nothing to sign in with; kubectl on the same machine works.",
    remedy=(
        Step(
            "See how the kubeconfig signs in.",
            run=("kubectl", "config", "view", "--minify"),
            risk=Risk.READ,
        ),
        Step(
            "Rewrite an old entry for kubelogin, with a mode that needs nobody at a screen.",
            run=("kubelogin", "convert-kubeconfig", "-l", "workloadidentity"),
            risk=Risk.SAFE,
        ),
        Step(
            "Use a release of the library that runs exec plugins, with kubelogin in PATH; or get a token for the server id 6dae42f8-4368-4678-94ff-3960e28e3630 by the Azure SDK and hand it over as bearer token.",
            verify="the client lists namespaces",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/kubelogin-authentication",),
    ask="kubectl config view --minify",
)
