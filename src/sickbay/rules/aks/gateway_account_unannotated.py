from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The service account of a Gateway has no workload identity (annotation client-id is missing)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r'(?i)(?:service ?account "?(?P<account>[\w.-]+)"?.{0,120}?)?does not include (?:the )?necessary annotation for Workload Identity',
            says="the service account lacks the annotation of workload identity",
            sample="Warning  InvalidInput  3s  application-routing  service account web-tls was specified but does not include necessary annotation for Workload Identity",
            near_miss="service account web-tls includes the annotation for Workload Identity",
        ),
    ),
    why="Workload identity reads the client id of the managed identity from the annotation azure.workload.identity/client-id of the service account; without it nobody knows as whom to ask Key Vault or DNS.",
    remedy=(
        Step(
            "Add the annotation.",
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
