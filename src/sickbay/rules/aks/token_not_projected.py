from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The token that is shown to Entra ID is not the one that workload identity projects (lifetime or issuer)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"AADSTS700(?:23|222)\b|External OIDC Provider token must have a lifetime of less than|(?i:AAD-issued tokens (?:may|might) not be used for federated identity flows)",
            says="Entra ID refuses the token as a federated one",
            sample="AADSTS70023: External OIDC Provider token must have a lifetime of less than or equal to 1.01:00:00",
            near_miss="AADSTS70021: No matching federated identity record found for presented assertion.",
        ),
    ),
    why="For a federated sign-in a token may live for a day at most and must come from the issuer of the cluster. The token under /var/run/secrets/kubernetes.io/serviceaccount is made for the API server and lives for a year (AADSTS70023), and one that Entra ID issued itself is no proof either (AADSTS700222). The right one is in the file that AZURE_FEDERATED_TOKEN_FILE names; the webhook mounts it and writes the variable.",
    remedy=(
        Step(
            "See whether the pod has AZURE_FEDERATED_TOKEN_FILE and the volume azure-identity-token.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            'Let the program read the file that AZURE_FEDERATED_TOKEN_FILE names. If the pod has none, set the label azure.workload.identity/use: "true" in its template and create it anew.',
            run=("kubectl", "rollout", "restart", "deployment", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="the program wants to get a token",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/workload-identity-overview",),
    leads_to=("kubernetes.program_fails", "kubernetes.crash_loop"),
    ask="kubectl describe pod {pod} -n {namespace}",
)
