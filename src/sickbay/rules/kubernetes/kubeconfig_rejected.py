from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The credentials in the kubeconfig are expired or not accepted (unauthorized)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"You must be logged in to the server|the server has asked for the client to provide credentials|Unable to connect to the server: getting credentials: exec|getting credentials: exec: executable \S{1,80} failed with exit code",
            says="the API server rejected the credentials of the client",
            sample="error: You must be logged in to the server (the server has asked for the client to provide credentials)",
            near_miss="Error from server (Forbidden): nodes is forbidden",
            # The token of a service account is renewed in another way.
            unless=r"(?i)service account token|reflector\.go:|\( pods/(?:log|exec|attach|portforward)\b",
        ),
        Signature(
            pattern=r"Error: Unauthorized.{0,80}?(?:with|on) (?:module\.\S{1,120}?)?(?:kubernetes|helm|kubectl)_\w+|[Kk]ubernetes cluster unreachable: the server has asked for the client|failed to (?:query|list)(?: with labels)?: Unauthorized|Failed to get /version for clusterId=\S{1,80}: Unauthorized|connecting to the kubernetes cluster:? .{0,200}?\bUnauthorized\b",
            says="the API server rejected the credentials of Terraform, Helm or the Azure CLI",
            sample="Error: Unauthorized\n\n  with kubernetes_namespace.shop,\n  on ns.tf line 1",
            near_miss="Error: Unsupported argument\n\n  with kubernetes_namespace.shop",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r'"kind": ?"Status",.{0,120}?"status": ?"Failure", ?"message": ?"Unauthorized", ?"reason": ?"Unauthorized"',
            says="the API server does not know who asks (401)",
            sample='{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}',
            near_miss='{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}',
            weight=TYPICAL,
            vague=True,
        ),
    ),
    why="The credentials in the kubeconfig are expired, rotated or damaged, or belong to another tenant, so that the API server cannot authenticate the client (Unauthorized).",
    remedy=(
        Step(
            "Fetch them anew.",
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
            verify="kubectl get --raw /version answers",
        ),
        Step(
            "If the log of a pod says so, the token that it sends is not one for the API server (made for another audience, or of an account that was deleted since): let it send the one that is mounted below /var/run/secrets/kubernetes.io/serviceaccount, or make the pod anew."
        ),
        Step("With Entra ID, sign in again.", run=("kubelogin", "remove-tokens"), risk=Risk.SAFE),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/config-file-is-not-available-when-connecting",
        "https://learn.microsoft.com/azure/aks/kubelogin-authentication",
    ),
    leads_to=("kubernetes.program_fails", "arc.kube_api_unverified"),
    ask="kubectl config view --minify",
)
