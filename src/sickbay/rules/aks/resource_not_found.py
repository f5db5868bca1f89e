from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A resource or resource group that the request names does not exist (ResourceNotFound)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE, Category.SCALING),
    detect=(
        Signature(
            pattern=r"\b(?:StorageAccount|DiskBlob|KeyVaultParameterReference|DiskEncryptionSet)NotFound\b|\b(?:AgentPool|ClusterResourceGroup)NotFound\b|\b(?:Parent)?Resource(?:Group)?NotFound\b|\bDeploymentNotFound\b|\(ExtensionNotFound\) The Resource|\bAZK8S0405\b|\bConnectedClusterResourceNotFound\b|Operation returned an invalid status (?:code )?'Not ?Found'|(?i:Resource group '(?P<group>[^']+)' could not be found)|(?i:Deployment '[^']+' could not be found)|(?i:The resource with name '(?P<named>[^']+)' and type '[^']+' could not be found)|unexpected status 404 .{0,40}?with error: \w*NotFound|(?i:(?:The )?Resource '(?P<missing>[^']+)' under resource group '(?P<other>[^']+)(?:' was not found|$))",
            says="the resource that the request names was not found",
            sample="ResourceNotFound: The Resource 'Microsoft.Network/virtualNetworks/v' under resource group 'net' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix",
            near_miss="The Resource 'Microsoft.Network/virtualNetworks/v' under resource group 'net' was found",
            # az acr login asks for the registry by its name alone, then, and goes on.
            unless=r"Could not get registry from service\b",
            weight=TYPICAL,
        ),
    ),
    why="ARM looks up every resource that a request names. It was deleted, not made yet (resource group, parent resource first), lies in another subscription or group, or the name is spelled otherwise.",
    remedy=(
        Step(
            "See what the resource group holds.",
            run=("az", "resource", "list", "-g", "{resource_group}", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Create what is missing, first the group and the parent, or correct the name; then repeat the operation.",
            risk=Risk.SAFE,
            verify="az resource show wants the resource",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-not-found",
    ),
    leads_to=("aks.operation_failed", "kubernetes.kubeconfig_rejected"),
    ask="az resource list -g {resource_group} -o json",
)
