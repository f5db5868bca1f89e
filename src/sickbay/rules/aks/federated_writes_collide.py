from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Federated credentials of one managed identity were written at once, which Azure refuses (concurrent writes)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?P<code>ConcurrentFederatedIdentityCredentialsWrites\w*)|Too many Federated Identity Credentials are written concurrently(?: for the managed identity '?(?P<identity>/[^'\s]+))?",
            says="several federated credentials were written at once[ under {identity}]",
            sample="(ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity) Too many Federated Identity Credentials are written concurrently for the managed identity '/subscriptions/s/resourcegroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id1'. Concurrent Federated Identity Credentials writes under the same managed identity are not supported.",
            near_miss="Federated Identity Credential shop-cart was written for the managed identity id1",
        ),
    ),
    why="A managed identity takes one write of a federated credential after the other. Bicep, ARM and Terraform make resources side by side unless told otherwise, so of several credentials under one identity the first succeeds and the rest are refused as a conflict.",
    remedy=(
        Step(
            "Repeat the deployment: what is missing is made now.",
        ),
        Step(
            "Put the credentials in a row for good: dependsOn from one to the next or @batchSize(1) in Bicep, depends_on or -parallelism=1 in Terraform.",
        ),
        Step(
            "See what is there.",
            run=(
                "az",
                "identity",
                "federated-credential",
                "list",
                "--identity-name",
                "<identity>",
                "-g",
                "{resource_group}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
            verify="each service account has its credential",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations",
    ),
    leads_to=(
        "aks.deployment_failed",
        "aks.federated_credential_missing",
        "aso.operation_conflict",
        "aso.not_ready",
        "aso.request_refused",
    ),
    ask="az identity federated-credential list --identity-name <identity> -g {resource_group} -o table",
)
