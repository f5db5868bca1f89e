from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="HashiCorp Vault does not accept the service account of a pod (Kubernetes auth: role, namespace, token review)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"/v1/auth/[\w./-]{1,120}/login\b.{0,120}?Code: (?:400|403|500)|auth\.handler: error authenticating: |service account name not authorized|invalid role name \"?(?P<role>[\w.-]{1,100})|lookup failed: service account unauthorized",
            says="Vault refuses the login of a pod",
            sample='[ERROR] auth.handler: error authenticating: error="Error making API request. URL: PUT https://vault.contoso.com/v1/auth/kubernetes/login Code: 403. Errors: * permission denied" backoff=1s',
            near_miss="[INFO]  auth.handler: authentication successful, sending token to sinks",
            unless=r"connection refused|no such host|i/o timeout|x509|sealed",
            passes=True,
            ended_by=r"authentication successful",
        ),
    ),
    why="The Vault agent or CSI provider of a pod logs in with the token of its service account. Vault asks the API server whether that token is good, and compares name and namespace with its role. A role that binds other names, a wrong mount path, a Vault that may not review tokens (system:auth-delegator) or holds an old CA or reviewer token refuses it.",
    remedy=(
        Step(
            "See which service account the pod has.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.serviceAccountName}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether Vault may review tokens.",
            run=(
                "kubectl",
                "get",
                "clusterrolebindings",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Compare it with the role in Vault (vault read auth/kubernetes/role/NAME: bound_service_account_names and namespaces), and correct the role, its path or the configuration of the auth method.",
            risk=Risk.SAFE,
            verify="the agent logs that the authentication was successful",
        ),
    ),
    docs=("https://developer.hashicorp.com/vault/docs/auth/kubernetes",),
    leads_to=(
        "kubernetes.init_container_waits",
        "kubernetes.external_secret_unsynced",
    ),
    ask="kubectl logs {pod} -n {namespace} -c vault-agent-init",
)
