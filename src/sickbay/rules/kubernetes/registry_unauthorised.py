from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The registry refuses the node's identity (401 Unauthorized on image pull)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"failed to authorize: failed to fetch (?:anonymous|oauth) token:.{0,300}?401 Unauthorized|\b(?:CONNECTIVITY_REFRESH_TOKEN_ERROR|CONNECTIVITY_ACCESS_TOKEN_ERROR|CONNECTIVITY_AAD_LOGIN_ERROR|CONNECTIVITY_WINCRED_ERROR)\b|aka\.ms/acr/authorization|Unable to authenticate using (?:AAD|admin) tokens|(?i:pull access denied)|(?:failed to resolve reference|[Ff]ailed to pull image).{0,600}?(?:401 Unauthorized|unauthorized: authentication required)|failed to resolve image to digest: .{0,400}?401 Unauthorized|/v2/\S{1,250}/manifests/\S{1,150}: (?:unexpected status code 401|UNAUTHORIZED: )|rejected token exchange: ACR token exchange endpoint returned error status: 401|azurecr\.io.{0,400}?unauthorized: (?:authentication required|Application not registered|invalid username)",
            says="the registry refused the pull with 401 Unauthorized",
            sample='Failed to pull image "contoso.azurecr.io/cart:v9": rpc error: code = Unknown desc = failed to pull and unpack image "contoso.azurecr.io/cart:v9": failed to resolve reference "contoso.azurecr.io/cart:v9": failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized',
            near_miss='failed to resolve reference "contoso.azurecr.io/cart:v9": failed to authorize: failed to fetch anonymous token: unexpected status: 403 Forbidden',
            weight=TYPICAL,
        ),
    ),
    why="The kubelet identity has no AcrPull role on the registry, was replaced or removed from the scale set, or the pull secret or service principal that is used instead has expired.",
    remedy=(
        Step(
            "See whether the cluster may pull.",
            run=(
                "az",
                "aks",
                "check-acr",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--acr",
                "<registry>.azurecr.io",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the kubelet identity the right to pull.",
            run=(
                "az",
                "aks",
                "update",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--attach-acr",
                "<registry>",
            ),
            verify="az aks check-acr ends with 'Your cluster can pull images from <registry>.azurecr.io!'",
        ),
        Step("If the pod uses imagePullSecrets, make that secret again with a valid password."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/cannot-pull-image-from-acr-to-aks-cluster",
        "https://learn.microsoft.com/azure/aks/cluster-container-registry-integration",
    ),
    leads_to=("kubernetes.image_pull_failed",),
    ask="az aks check-acr --resource-group {resource_group} --name {cluster} --acr <registry>.azurecr.io",
)
