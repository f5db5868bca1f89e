from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The registry itself fails: it answers the pull with a server error (500, 502, 503, 504)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)(?:failed to (?:solve|copy|compute cache key|do request|resolve|pull|push)|httpReadSeeker|pulling from host).{0,600}?(?:unexpected status(?: code| from \w{3,5} request to)?:? \"?https://(?P<registry>[\w.-]+)/\S{1,300}?: 50[0234]\b|failed with status code \[\w+ [^\]]{1,120}\]: 50[0234]\b)",
            says="the registry answers with a server error[: {registry}]",
            sample="ERROR: failed to solve: mcr.microsoft.com/dotnet/sdk:8.0: failed to copy: httpReadSeeker: failed open: unexpected status code https://mcr.microsoft.com/v2/dotnet/sdk/blobs/sha256:c998: 503 Service Unavailable",
            near_miss="ERROR: failed to solve: mcr.microsoft.com/dotnet/sdk:8.0: unexpected status code https://mcr.microsoft.com/v2/dotnet/sdk/manifests/8.0: 404 Not Found",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"(?i:\bpull\w*\b.{0,300}?image|error response from daemon|ErrImagePull|https://(?P<registry>[\w.-]+)/(?:v2/|oauth2/)\S{0,300}).{0,400}?(?:received unexpected HTTP status: 50[0234]\b|UNKNOWN: aad get access token \w{1,20} timeout)",
            says="the registry answers with a server error[: {registry}]",
            sample='Failed to pull image "contoso.azurecr.io/cart:v9": rpc error: code = Unknown desc = received unexpected HTTP status: 504 Gateway Timeout',
            near_miss='Failed to pull image "contoso.azurecr.io/cart:v9": rpc error: code = Unknown desc = received unexpected HTTP status: 403 Forbidden',
            weight=TYPICAL,
            passes=True,
            # A second attempt that it answered says more.
            vague=True,
        ),
    ),
    why="The request arrived and was understood; the registry, its data endpoint or a proxy that answers for it could not serve it at that moment. For mcr.microsoft.com and Azure Container Registry it passes, as a rule, within minutes; behind a proxy the answer may be the proxy's own.",
    remedy=(
        Step(
            "Ask the registry from the same place.",
            run=("curl", "-sSI", "https://<registry>/v2/"),
            risk=Risk.READ,
            verify="the answer is 200 or 401, not 50x",
        ),
        Step("Try again after some minutes, and look at the status page of the registry."),
        Step(
            "Keep a copy of the base images in your own registry (cache rules of Azure Container Registry), so that a build does not depend on another one."
        ),
    ),
    leads_to=("kubernetes.image_pull_failed",),
    docs=(
        "https://learn.microsoft.com/azure/container-registry/artifact-cache-overview",
        "https://azure.status.microsoft/status",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
