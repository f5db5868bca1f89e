from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The sign-in plugin (exec) of the kubeconfig fails when the Azure CLI starts it",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)ExecCredential does not contain cluster information",
            says="the plugin is not told which cluster it signs in to",
            sample="root: exec: process returned 1. Error: failed to complete command options: ExecCredential does not contain cluster information",
            near_miss="ExecCredential contains cluster information",
        ),
        Signature(
            pattern=r"(?i)\bexec: process returned (?P<code>[1-9]\d{0,2})\b|\bexec: malformed response\b.{0,80}?(?:missing key|plugin)|\bexec plugin: \S{1,80}: executable file not found|\bexec: executable \S{1,80} not found\b|\bgke-gcloud-auth-plugin, which is needed for continued use of kubectl, was not found|\bexec: plugin api version \S{1,60} does not match\b",
            says="the plugin ended with an error",
            sample="root: exec: process returned 1. Unable to locate credentials. You can configure credentials by running aws configure",
            near_miss="root: exec: process returned 0",
            weight=TYPICAL,
        ),
    ),
    why="`az connectedk8s` reads the kubeconfig with the Python client of Kubernetes, which starts the plugin under users[].user.exec itself. That client does not hand over the data of the cluster (provideClusterInfo), wants the plugin on the PATH, and expects its answer as plain JSON; what works with kubectl can fail here.",
    remedy=(
        Step(
            "See which plugin the context uses.",
            run=("kubectl", "config", "view", "--minify", "-o", "jsonpath={.users[0].user.exec}"),
            risk=Risk.READ,
        ),
        Step(
            "Sign in to the plugin in this shell, and see that it answers by itself.",
            run=("kubectl", "auth", "whoami"),
            risk=Risk.READ,
        ),
        Step(
            "Or use a kubeconfig without a plugin: make a service account with cluster-admin and a token of it.",
            run=("kubectl", "create", "token", "<service-account>", "--duration", "2h"),
            risk=Risk.SAFE,
            verify="az connectedk8s connect --kube-config <file> goes past the check of the cluster",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",
        "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins",
    ),
    leads_to=("arc.kube_api_unverified",),
    ask="kubectl config view --minify",
)
