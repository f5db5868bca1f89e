from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A service connection of Azure DevOps finds no lasting credential: no token secret, or an Entra kubeconfig",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)Could not find any secrets? associated with the Service ?Account|No user credentials found for cluster in KubeConfig content|Failed to query service connection API: '\S{1,300}'\. Status Code: '(?:Unauthorized|Forbidden)'",
            says="the service connection has no credential of the cluster",
            sample="Could not find any secrets associated with the Service Account.",
            near_miss="Service connection verified: the secret of the Service Account was found",
        ),
    ),
    why="A connection of the kind Kubernetes keeps a token or client certificate. Since Kubernetes 1.24 a service account gets no token secret on its own, and a kubeconfig of a cluster with Entra ID holds a sign-in program (kubelogin) in place of a credential. Verification then fails before anything is deployed.",
    remedy=(
        Step(
            "Better: use a connection of the kind Azure Resource Manager in the task, with kubelogin on the agent, and give its identity a role on the cluster."
        ),
        Step(
            "Or make a secret of the type kubernetes.io/service-account-token with the annotation kubernetes.io/service-account.name, and name it in the connection.",
            run=("kubectl", "apply", "-n", "<namespace>", "-f", "<token-secret.yaml>"),
            risk=Risk.SAFE,
            verify="kubectl get secret -n <namespace> wants a token in it",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/devops/pipelines/library/service-endpoints",
        "https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/",
    ),
    ask="kubectl get serviceaccount -A",
)
