from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubeconfig asks for a version of the sign-in plugin interface that kubectl no longer has",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r'exec plugin: invalid apiVersion "?(?P<version>[\w./]+)|exec plugin is configured to use API version (?P<wants>\S+?),? plugin returned version (?P<gives>\S+)|no kind "ExecCredential" is registered for version|cannot convert to ExecCredential: unexpected end of JSON|KUBERNETES_EXEC_INFO env var is (?:unset|empty)',
            says="kubectl and the sign-in plugin do not speak the same version",
            sample='error: exec plugin: invalid apiVersion "client.authentication.k8s.io/v1alpha1"',
            near_miss="apiVersion: client.authentication.k8s.io/v1",
        ),
    ),
    why="kubectl 1.24 dropped client.authentication.k8s.io/v1alpha1. The kubeconfig was written by an old tool, or kubectl, Helm or Terraform and the plugin (kubelogin and others) are of different ages; an old kubectl, or a call by hand, does not give the plugin KUBERNETES_EXEC_INFO.",
    remedy=(
        Step(
            "Update kubelogin, kubectl and the tool that wrote the kubeconfig.",
            run=(
                "az",
                "aks",
                "install-cli",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Write the kubeconfig anew.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--overwrite-existing",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Convert it for kubelogin.",
            run=(
                "kubelogin",
                "convert-kubeconfig",
            ),
            risk=Risk.SAFE,
            verify="kubectl get nodes answers",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins",
        "https://azure.github.io/kubelogin/",
    ),
    ask="kubectl config view",
)
