from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The service account that a Gateway uses for its Key Vault certificate does not exist in its namespace",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r'(?i)service ?account "?(?P<account>[\w.-]+)"? does not exist in namespace "?(?P<namespace>[\w-]+)',
            says="service account {account} does not exist",
            sample="Warning  InvalidInput  3s  application-routing  service account web-tls does not exist in namespace shop",
            near_miss="service account web-tls exists in namespace shop",
        ),
    ),
    why="The TLS option of a listener names a service account by which application routing reads the certificate from Key Vault; it must be in the same namespace as the Gateway.",
    remedy=(
        Step(
            "Create the service account with the client id of the managed identity.",
            run=(
                "kubectl",
                "create",
                "serviceaccount",
                "{account}",
                "-n",
                "{namespace}",
            ),
        ),
        Step(
            "Tell it the identity.",
            run=(
                "kubectl",
                "annotate",
                "serviceaccount",
                "{account}",
                "-n",
                "{namespace}",
                "azure.workload.identity/client-id=<client-id>",
            ),
            verify="kubectl describe gateway -n {namespace} wants Programmed: True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/application-routing-gateway-api-dns-tls",
    ),
    ask="kubectl get serviceaccounts -A -o json",
)
