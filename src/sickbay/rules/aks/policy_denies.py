from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An Azure Policy denies a resource that the operation needs (RequestDisallowedByPolicy)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"PolicyViolation: assignment (?P<assignment>.+?) (?P<assignment_id>/\S+), definition (?P<policy>[^/,]+?)(?: /\S+?)?(?:, effect (?i:deny\w*))?$",
            says="policy {policy} (assignment {assignment}) denies the request",
            sample='RequestDisallowedByPolicy: Resource \'MC_rg_shop\' was disallowed by policy. Policy identifiers: \'[{"policyAssignment":{"name":"Not allowed resource types","id":"/subscriptions/0/providers/Microsoft.Authorization/policyAssignments/a1"},"policyDefinition":{"name":"Not allowed resource types","id":"/subscriptions/0/providers/Microsoft.Authorization/policyDefinitions/not-allowed","version":"1.0.0"}}]\'.',
            near_miss="PolicyViolation: assignment Allowed locations /subscriptions/0/providers/Microsoft.Authorization/policyAssignments/a1, definition Allowed locations, effect audit",
        ),
        Signature(
            pattern=r"(?:\bRequestDisallowedBy(?:Policy|Azure)\b|(?i:was disallowed by (?:policy|Azure)\b))(?:.*?(?P<assignment_id>/[\w./-]+/policyAssignments/[\w.-]+))?",
            says="the request was denied by a policy",
            sample="Code: RequestDisallowedByPolicy Message: Resource 'MC_rg_shop' was disallowed by policy.",
            near_miss="Resource 'MC_rg_shop' was allowed by policy.",
        ),
    ),
    why="An assignment of Azure Policy with effect deny covers the scope, and the request does not meet it: a tag, a region, a size, a public IP or a resource type. AKS writes into the node resource group as well, where the same assignments hold.",
    remedy=(
        Step(
            "Read what the policy wants.",
            run=("az", "resource", "show", "--ids", "{assignment_id}"),
            risk=Risk.READ,
        ),
        Step(
            "Meet the policy (add the tag, choose another region or size), or exempt the node resource group from it.",
            run=(
                "az",
                "policy",
                "exemption",
                "create",
                "-n",
                "aks-nodes",
                "--policy-assignment",
                "{assignment_id}",
                "--exemption-category",
                "Waiver",
                "--scope",
                "/subscriptions/{subscription}/resourceGroups/{node_resource_group}",
            ),
            risk=Risk.SAFE,
            verify="az policy exemption list wants the exemption",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/requestdisallowedbypolicy-error",
        "https://learn.microsoft.com/azure/governance/policy/concepts/exemption-structure",
    ),
    leads_to=("aks.operation_failed", "aks.private_dns_failed", "aks.scale_up_failed"),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
