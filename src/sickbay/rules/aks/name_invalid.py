from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A name of the cluster, of a pool or of its DNS prefix is reserved, taken or against the rules",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bFQDN(?:NotAvailable|Invalid|SubdomainRecordAlreadyExistsError)\b|\bWindowsAgentPoolNameTooLong\b|node resource group name is too long|Windows agent ?pool name .{0,40}?(?:longer|more) than|managed cluster name is invalid because|(?:name|prefix)\W{0,3} (?:is|was) invalid.{0,300}?aka\.ms/aks-naming-rules|\bDnsPrefixInUse\b|DNS (?:name|prefix) .{0,80}? (?:is )?(?:already (?:used|in use|taken)|not unique)|agent ?pool name .{0,80}? (?:is invalid|must)|must start with a lowercase letter, have max length|\bReservedResourceName\b|value of parameter (?:agentPoolProfile\.name|resourceName|dnsPrefix|managedCluster\.name) is invalid|--(?:nodepool-)?name (?:can contain at most 12|should contain only alphanumeric|cannot exceed 63 characters and can)",
            says="the name is not allowed",
            sample='Code="InvalidParameter" Message="The value of parameter name is invalid. Error details: "azure" managed cluster name is invalid because it is reserved.. Please see https://aka.ms/aks-naming-rules for more details."',
            near_miss="The value of parameter name is valid for a managed cluster",
            unless=r"registry DNS name",
        ),
    ),
    why="Names of clusters, pools and DNS prefixes are checked before anything is made: reserved words (microsoft, windows, azure), characters, length, and for DNS names whether another cluster has it.",
    remedy=(Step("Choose another name, and repeat the operation."),),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-reserved-resource-name",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules",
    ),
    leads_to=("aks.operation_failed",),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
