from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="external-dns has no configuration for Azure (azure.json), or none that it can read",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"failed to read Azure config file|failed to (?:parse|unmarshal|decode) Azure config|external-dns.{0,200}?azure\.json.{0,80}?(?:no such file|permission denied|invalid character)",
            says="the configuration for Azure cannot be read",
            sample="level=fatal msg=\"failed to read Azure config file '/etc/kubernetes/azure.json': open /etc/kubernetes/azure.json: no such file or directory\"",
            near_miss='level=info msg="Using managed identity extension to retrieve access token for Azure API."',
        ),
    ),
    why="The Azure provider reads /etc/kubernetes/azure.json: tenant, subscription, resource group and how to sign in. The secret is not mounted, empty, or not valid JSON.",
    remedy=(
        Step(
            "See that the secret exists and is mounted.",
            run=(
                "kubectl",
                "get",
                "secrets",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the secret with azure.json, and mount it at /etc/kubernetes.",
            verify="external-dns runs",
        ),
    ),
    docs=("https://kubernetes-sigs.github.io/external-dns/latest/docs/tutorials/azure/",),
    ask="kubectl get secrets -A",
)
