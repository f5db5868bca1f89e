from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster identity may not assign the kubelet identity (CustomKubeletIdentityMissingPermissionError)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"\bCustomKubeletIdentityMissingPermissionError\b|must be granted '?Managed Identity Operator'? role to assign kubelet identity",
            says="the control plane may not assign the kubelet identity",
            sample="CustomKubeletIdentityMissingPermissionError: The cluster using user-assigned managed identity must be granted 'Managed Identity Operator' role to assign kubelet identity.",
            near_miss="The cluster is granted the Managed Identity Operator role.",
        ),
    ),
    why="A managed cluster with its own kubelet identity needs the role Managed Identity Operator on it for the identity of its control plane. The assignment is missing, or is made in the same deployment and has not propagated yet.",
    remedy=(
        Step(
            "See which identities the cluster names.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "[identity,identityProfile]",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Grant Managed Identity Operator on the kubelet identity to the control plane identity; ASO tries again by itself.",
            risk=Risk.SAFE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-managed-identity",),
    leads_to=(
        "aks.operation_failed",
        "aso.not_ready",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query [identity,identityProfile] -o json",
)
