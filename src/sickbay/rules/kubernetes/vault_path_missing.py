from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="HashiCorp Vault has no secret at the path that a pod asks for, or its role may not read it",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"no secret exists at (?P<path>[\w./-]{3,200})|template server failed: error=.{0,40}?vault\.(?:read|write|list)\((?P<read>[\w./-]{3,200})\)|URL: (?:GET|PUT|LIST) https?://\S{1,200}/v1/(?P<url>(?:secret|kv|[\w-]{1,60}/data)/[\w./-]{1,200}) Code: 40[34]|error reading secret from Vault.{0,200}?(?:404|403|not found|permission denied)",
            says="Vault gives no secret at this path[: {path}][: {read}][: {url}]",
            sample='[WARN]  (view) vault.read(secret/data/shop/config): no secret exists at secret/data/shop/config (retry attempt 3 after "1s")',
            near_miss="[INFO]  (view) vault.read(secret/data/shop/config): rendered",
            unless=r"sealed|/v1/auth/",
            passes=True,
        ),
    ),
    why="The agent signed in to Vault and asked for a path at which there is nothing: it is misspelled, of another mount, the secret was never written or was deleted, or the path of a key-value store of version 2 lacks its data/ (or one of version 1 has it). Where the policy of the role leaves the path out, Vault answers 403.",
    remedy=(
        Step(
            "See what the annotations or the template of the pod ask for.",
            run=("kubectl", "get", "pod", "{pod}", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Read the path in Vault with the policy of that role; write the secret, or correct path or policy.",
            risk=Risk.SAFE,
            verify="the init container vault-agent-init ends",
        ),
    ),
    docs=(
        "https://developer.hashicorp.com/vault/docs/platform/k8s/injector",
        "https://developer.hashicorp.com/vault/docs/secrets/kv/kv-v2",
    ),
    leads_to=(
        "kubernetes.init_container_waits",
        "kubernetes.external_secret_unsynced",
        "kubernetes.mount_failed",
    ),
    ask="kubectl logs {pod} -n {namespace} -c vault-agent-init",
)
