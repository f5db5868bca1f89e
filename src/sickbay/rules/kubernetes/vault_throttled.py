from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Key Vault throttles the driver (429 Too Many Requests)",
    severity=Severity.WARNING,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"keyvault\.BaseClient#Get\w+: Failure (?:responding to|sending) request: StatusCode=429|(?i:vault\.azure\.net).{0,300}?(?:429|Too ?Many ?Requests)|(?i:request was not processed because too many requests were received).{0,200}?(?i:vault)|secrets-store.{0,300}?StatusCode=429",
            says="the key vault answered 429",
            sample="failed to process mount request, error: keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=429 -- Original Error: autorest/azure: error response cannot be parsed",
            near_miss="keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=403",
            passes=True,
        ),
    ),
    why="A vault takes a limited number of requests in ten seconds. Every mount and every rotation poll reads each object once for each pod, so many pods or a short poll interval use it up.",
    remedy=(
        Step(
            "Poll less often.",
            run=(
                "az",
                "aks",
                "addon",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--addon",
                "azure-keyvault-secrets-provider",
                "--rotation-poll-interval",
                "30m",
            ),
        ),
        Step(
            "Mount fewer objects in each pod, or spread them over several vaults.",
            risk=Risk.DISRUPTIVE,
            verify="the log of the provider shows no further 429",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-key-vault-csi-secrets-store-csi-driver",
        "https://learn.microsoft.com/azure/key-vault/general/overview-throttling",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl logs -n kube-system -l app=secrets-store-provider-azure --tail=100",
)
