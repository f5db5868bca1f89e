from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The node cannot obtain a registry credential from its managed identity (IMDS)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"[Ff]ailed getting credential from external registry credential provider|acr-credential-provider.{0,300}?(?:failed|error)|(?:169\.254\.169\.254|\bIMDS\b).{0,200}?(?:Identity not found|connection refused|i/o timeout|context deadline exceeded|host unreachable)",
            says="the credential provider of the node got no token",
            sample="failed getting credential from external registry credential provider: error execing credential provider plugin acr-credential-provider for image contoso.azurecr.io/cart: context deadline exceeded",
            near_miss="acr-credential-provider: token acquired",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The kubelet asks the instance metadata service (IMDS, 169.254.169.254) for a token of its managed identity; the identity was removed from the scale set, a network policy or proxy blocks the metadata address, or the node still uses credentials from before a change.",
    remedy=(
        Step(
            "See which identities the scale set has.",
            run=(
                "az",
                "vmss",
                "identity",
                "show",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<scale-set>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Reconcile the cluster, which puts the kubelet identity back.",
            run=(
                "az",
                "aks",
                "update",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
            ),
            verify="kubectl get pods -A shows no ImagePullBackOff",
        ),
        Step(
            "If only some nodes are concerned, reimage them.",
            run=(
                "az",
                "vmss",
                "reimage",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/cannot-pull-image-from-acr-to-aks-cluster",
        "https://learn.microsoft.com/azure/aks/use-managed-identity",
    ),
    leads_to=("kubernetes.image_pull_failed", "kubernetes.registry_unauthorised"),
    ask="az vmss identity show --resource-group {node_resource_group} --name <scale-set>",
)
