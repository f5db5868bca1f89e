from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The registry or repository of a chart refuses Helm: not signed in, or no right to read or push (401, 403)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"Error: (?:INSTALLATION FAILED: |UPGRADE FAILED: )?(?:failed to authorize: |unexpected status from (?:\w{3,5} request|HEAD|GET|PUT|POST)|failed to perform \"\w{3,20}\" on (?:source|destination)).{0,400}?\b40[13]\b|failed to get chart version for remote reference: .{0,400}?\b40[13]\b|could not (?:download oci://\S{1,300}|retrieve list of tags for repository oci://\S{1,200}): .{0,600}?\b40[13]\b|is not a valid chart repository or cannot be reached.{0,300}?: 40[13] |login attempt to (?P<registry>\S{3,200}) failed with status: 40[13]|failed to (?:fetch|download) \S{3,300}?(?:\.tgz|index\.yaml) ?: 40[13] |Error: (?:INSTALLATION FAILED: |UPGRADE FAILED: )?(?:GET|HEAD) \"https://\S{3,300}?/v2/\S{3,200}\": (?:response status code )?40[13]",
            says="the registry of the chart refuses the client",
            sample="Error: INSTALLATION FAILED: failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://contoso.azurecr.io/oauth2/token?scope=repository%3Ahelm%2Fcart%3Apull: 401 Unauthorized",
            near_miss='Error: INSTALLATION FAILED: failed to download "oci://contoso.azurecr.io/helm/cart" at version "9": not found',
            unless=r"az acr|failed to solve|load metadata for|[Ff]ailed to pull (?:and unpack )?image|\bkubelet\b|client with IP",
        ),
    ),
    why="Helm signs in to an OCI registry with what helm registry login (or docker login) has stored on the machine where it runs; the rights of the cluster's nodes do not matter. Nobody signed in there, the token of three hours has expired, the identity lacks AcrPull or AcrPush, or the name of the repository is wrong.",
    remedy=(
        Step(
            "Get a token for the registry in the same job.",
            run=(
                "az",
                "acr",
                "login",
                "--name",
                "<registry>",
                "--expose-token",
                "--query",
                "accessToken",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Sign Helm in with it: user name 00000000-0000-0000-0000-000000000000, the token as password.",
            run=(
                "helm",
                "registry",
                "login",
                "<registry>.azurecr.io",
                "--username",
                "00000000-0000-0000-0000-000000000000",
                "--password-stdin",
            ),
            risk=Risk.SAFE,
            verify="helm pull of the chart succeeds",
        ),
        Step(
            "If it is still refused, give the identity AcrPull (or AcrPush) on the registry.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--role",
                "AcrPull",
                "--assignee",
                "<identity>",
                "--scope",
                "<id of the registry>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/container-registry/container-registry-helm-repos",
        "https://helm.sh/docs/helm/helm_registry_login/",
    ),
    leads_to=("kubernetes.release_gave_up", "kubernetes.registry_unauthorised"),
    ask="helm registry login <registry>",
)
