from sickbay.model.kubernetes import Pod
from sickbay.model.registries import registry_of, waits_for
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(Pod)
def registry_is_shut(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if waits_for(pod) is None:
        return None
    registry = registry_of(pod, snapshot)
    if registry is None:
        return None
    if not registry.is_shut:
        return Clear(f"{registry.host} is open, or has a private endpoint")
    allowed = (registry.rules and registry.rules.ip_rules) or ()
    because = registry.shut_to(frozenset())
    if allowed and not registry.is_private:
        # The address that the nodes come from may be among them.
        return None
    return Match(
        f"{pod.namespace}/{pod.name} waits for an image from {registry.host}: {because}",
        facts={"registry": registry.name},
        cites=(registry.cite("properties.publicNetworkAccess", registry.public_network_access),),
    )


RULE = Rule(
    title="The registry refuses the node's network (403 Forbidden: firewall or private endpoint)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        registry_is_shut,
        Signature(
            pattern=r"failed to authorize: failed to fetch (?:anonymous|oauth) token:.{0,300}?403 Forbidden|failed to resolve reference.{0,400}?403 Forbidden|Error: Status 403 trying to pull repository|failed to get ACR (?:refresh|access) token.{0,80}?\b403\b|failed to solve: .{0,400}?unexpected status from \w{3,5} request to https://\S{3,300}: 403 Forbidden|client with IP '?(?P<ip>[\d.a-f:]+)'? is not allowed access|aka\.ms/acr/firewall|\bCONNECTIVITY_FORBIDDEN_ERROR\b|\bAccess to [\w.-]+\.azurecr\.\w{2,3} denied\b|The operation is disallowed on this registry, repository or image",
            says="the registry refused the pull with 403 Forbidden",
            sample='Failed to pull image "contoso.azurecr.io/cart:v9": failed to resolve reference "contoso.azurecr.io/cart:v9": failed to authorize: failed to fetch anonymous token: unexpected status: 403 Forbidden',
            near_miss='failed to resolve reference "contoso.azurecr.io/cart:v9": failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized',
            weight=TYPICAL,
        ),
    ),
    why="The registry allows only selected networks: the outbound address of the cluster is not among them, or the nodes reach the public endpoint because the private DNS zone (privatelink.azurecr.io) is not linked to their virtual network.",
    remedy=(
        Step(
            "See which networks the registry allows.",
            run=(
                "az",
                "acr",
                "show",
                "--name",
                "<registry>",
                "--query",
                "{public:publicNetworkAccess,rules:networkRuleSet}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Link the private DNS zone of the registry to the cluster's network.",
            run=(
                "az",
                "network",
                "private-dns",
                "link",
                "vnet",
                "create",
                "--resource-group",
                "<zone-group>",
                "--zone-name",
                "privatelink.azurecr.io",
                "--name",
                "aks",
                "--virtual-network",
                "<vnet-id>",
                "--registration-enabled",
                "false",
            ),
            verify="nslookup <registry>.azurecr.io on a node gives a private address",
        ),
        Step(
            "Or allow the outbound address of the cluster.",
            run=(
                "az",
                "acr",
                "network-rule",
                "add",
                "--name",
                "<registry>",
                "--ip-address",
                "<outbound-ip>",
            ),
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/cannot-pull-image-from-acr-to-aks-cluster",
        "https://learn.microsoft.com/azure/container-registry/container-registry-private-link",
    ),
    leads_to=("kubernetes.image_pull_failed",),
    ask="az acr show --name <registry> --query networkRuleSet",
)
