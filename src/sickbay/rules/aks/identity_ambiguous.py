from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Several managed identities are assigned to the nodes, and the program does not say which one it wants",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)Multiple user assigned identities exist",
            says="a token was asked for without the id of an identity",
            sample="ManagedIdentityCredential authentication failed: Multiple user assigned identities exist, please specify the clientId / resourceId of the identity in the token request",
            near_miss="ManagedIdentityCredential: one user assigned identity exists",
            unless=r"(?i)key ?vault|secrets?-store|failed to mount",
        ),
    ),
    why="The metadata service of a node gives the token of its only identity, or of the one whose client id is asked for. The nodes of an AKS cluster carry several (of the kubelet and of add-ons), so a request without an id is refused.",
    remedy=(
        Step(
            "See the identities of the cluster's scale sets.",
            run=(
                "az",
                "vmss",
                "list",
                "-g",
                "{node_resource_group}",
                "--query",
                "[].identity.userAssignedIdentities",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the program the client id of its identity (AZURE_CLIENT_ID, `userAssignedIdentityID`), or better, move it to workload identity."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-managed-identity",),
    leads_to=(
        "aks.app_gateway_missing",
        "aks.node_metadata_unreachable",
        "aks.workload_identity_unset",
        "aks.kubelet_identity_unbound",
        "kubernetes.program_fails",
    ),
    ask="az vmss list -g {node_resource_group} --query [].identity",
)
