from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The HTTP proxy configuration of the cluster is not valid (HTTPProxyConfig)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"HTTPProxy and HTTPSProxy both cannot be empty|(?i:httpProxyConfig)\S{0,40} .{0,120}?(?:invalid|not (?:valid|allowed|support(?:ed)?))|\bHTTPProxy(?:WrongUrlError|Config(?:InputError|CADecodeError|Invalid\w*|NotSupported\w*))\b",
            says="the proxy configuration is refused",
            sample="(HTTPProxyConfigInputError) HTTPProxy and HTTPSProxy both cannot be empty.",
            near_miss="httpProxyConfig was applied",
        ),
    ),
    why="AKS checks httpProxyConfig before it uses it: at least one proxy URL, a scheme that it supports, a trusted CA in base64, and no change of what cannot be changed later.",
    remedy=(
        Step(
            "Write the file as the fields themselves (httpProxy, httpsProxy, noProxy, trustedCa), without an object around them."
        ),
        Step("Give URLs with scheme and port, and the CA as base64 of a PEM file."),
    ),
    leads_to=(
        "aks.parameter_invalid",
        "aks.request_refused",
        "aks.operation_failed",
    ),
    docs=("https://learn.microsoft.com/azure/aks/http-proxy",),
    ask="az aks show -g {resource_group} -n {cluster} --query httpProxyConfig",
)
