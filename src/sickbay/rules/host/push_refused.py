from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The registry refuses a docker client: not signed in, no push role, or the image is named for another one",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)(?:docker(?:\.exe)?\"? push|docker compose \w+ --push|The push refers to repository|pushing (?:layer|manifest|\S+ with docker)|failed to push|error pushing|--push\b).{0,1000}?(?:denied: requested access to the resource is denied|unauthorized: |insufficient_scope|authorization failed|\b401 Unauthorized|error parsing HTTP 403 response body)",
            says="the registry does not let the client push",
            sample="The push refers to repository [docker.io/shop/web] 581c38738922: Preparing denied: requested access to the resource is denied",
            near_miss="The push refers to repository [contoso.azurecr.io/web] 581c38738922: Pushed",
            weight=TYPICAL,
            # A pull inside a build is refused in the same words.
            unless=r"(?i)failed to pull image|pull access denied|failed to solve|ErrImagePull",
        ),
        Signature(
            pattern=r"(?i)aad access token with sp failed|Error response from daemon: (?:Get|login attempt to) \"?https://\S{3,120}/v2/\"?:? (?:unauthorized|failed with status: 401)",
            says="the registry does not take the token that docker has stored for it",
            sample='unauthorized: "aad access token with sp failed client id must be guid"',
            near_miss="unauthorized: authentication required",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"^(?:Error: |ERROR: |Error response from daemon: )?denied: requested access to the resource is denied",
            says="a registry does not let the client at a repository",
            sample="denied: requested access to the resource is denied",
            near_miss="requested access to the resource was granted",
            weight=TYPICAL,
            vague=True,
        ),
    ),
    why="docker push sends the credential that docker login or `az acr login` stored for the host in the image's name. Without a host the name means Docker Hub. The stored token lives three hours, or belongs to an identity without AcrPush on the registry, and each user, sudo and job has a store of its own.",
    remedy=(
        Step(
            "Sign in to the registry as the same user, in the same job, right before the push.",
            run=("az", "acr", "login", "--name", "<registry>"),
            risk=Risk.SAFE,
            verify="Login Succeeded",
        ),
        Step(
            "See whether the identity may push.",
            run=("az", "role", "assignment", "list", "--scope", "<registry-id>", "-o", "table"),
            risk=Risk.READ,
            verify="AcrPush or Contributor is among its roles",
        ),
        Step("Name the image with the login server of the registry in front, all in lower case."),
    ),
    leads_to=("kubernetes.registry_unauthorised",),
    docs=(
        "https://learn.microsoft.com/azure/container-registry/container-registry-authentication",
        "https://learn.microsoft.com/azure/container-registry/container-registry-troubleshoot-login",
    ),
    ask="az acr check-health --name <registry> --yes",
)
