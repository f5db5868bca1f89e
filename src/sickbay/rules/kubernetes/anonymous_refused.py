from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A request reached the API server without credentials (system:anonymous, 403 Forbidden)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"forbidden: User \"system:anonymous\" cannot (?P<verb>\w+) (?:resource|path)?",
            says="a request without credentials was refused",
            sample='forbidden: User "system:anonymous" cannot get path "/"',
            near_miss='forbidden: User "alice@contoso.com" cannot get path "/metrics"',
            passes=True,
        ),
    ),
    why="The API server was reached and took the caller for system:anonymous: no token or client certificate was sent. Giving rights to system:anonymous would open the cluster to everybody; the client has to send its credentials (in a pod the token of its service account, in the header Authorization).",
    remedy=(
        Step(
            "In a pod, see whether the token is mounted (automountServiceAccountToken), and send it as Authorization: Bearer.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.automountServiceAccountToken} {.spec.serviceAccountName}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Outside of the cluster, fetch the kubeconfig anew.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--overwrite-existing",
            ),
            verify="kubectl auth whoami names the user",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#anonymous-requests",
        "https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/",
    ),
    ask="kubectl auth whoami",
)
