from sickbay.model.aso_codes import IMMUTABLE, OTHERS, answer_says, answered, said, told
from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

_WORDS = r"(?i:cannot be (?:changed|updated|modified|altered|converted|decreased|reduced|downgraded|shrunk)|(?:can't|not allowed to) (?:be )?(?:change|update|modif|convert|switch)|cannot (?:change|update|modify|switch|scale down)|(?:update|change|modification|updating|changing|modifying) (?:of|to) .{0,80}?not (?:supported|allowed|permitted)|(?:^|[^-])\bimmutable\b(?:[^-]|$)|irreversible|once .{0,30}?created)"

RULE = Rule(
    title="The request changes a property that cannot be changed after creation (PropertyChangeNotAllowed)",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.CREATION),
    detect=(
        Signature(
            pattern=r"\b(?:OIDCIssuer(?:Feature)?CannotBeDisabled|CannotChange(?:OSDiskType|KubeletDisk)|CustomKubeletConfigOrCustomLinuxOSConfigCanNotBeChanged|CustomRouteTableInvalidUpdateAttempt|UpdateNotAllowed)\b|CustomKubeletConfig or CustomLinuxOSConfig can ?not be changed|Change kubelet identity from .{0,800}? is not allowed|Operation .{1,40}? is not allowed for managed AAD|\bPropertyChangeNot\w*|\bChange\w+NotAllowed\b|(?i:(?:cannot|can't|can not) be (?:enabled|disabled|changed) (?:on|for|in) (?:an )?existing (?:\w+ )?(?:node|agent) ?pools?)|(?i:Change kubelet identity from .{0,600}? is not allowed)|(?i:Changing property '?(?P<property>(?:properties\.)?(?:agentPoolProfile|aadProfile|networkProfile|servicePrincipal|dnsPrefix|linuxProfile|windowsProfile|nodeResourceGroup|identity|apiServerAccess|diskEncryption|enableRBAC|osDisk|vnetSubnet|availabilityZones|vmSize|osType|osSKU|maxPods|platformFaultDomain|type)[\w.\[\]]*)'? (?:isn't|is not) allowed)",
            says="a property cannot be changed",
            sample="PropertyChangeNotAllowed: Changing property 'agentPoolProfile.vmSize' is not allowed.",
            near_miss="Changing property 'agentPoolProfile.count' succeeded",
            # A scale set whose image somebody changed has a rule of its own.
            unless=r"imageReference",
        ),
        Signature(
            pattern=told(IMMUTABLE),
            says="a property cannot be changed ({code})",
            sample="thing1 False Error AccountPropertyCannotBeUpdated The property 'isHnsEnabled' was specified in the input, but it cannot be updated.",
            near_miss="thing1 False Info Reconciling The property 'isHnsEnabled' was specified in the input.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=said(_WORDS),
            says="a property cannot be changed",
            sample="thing1 False Warning BadRequest Document collection partition key cannot be changed.",
            near_miss="thing1 True Succeeded The partition key was set.",
            unless=r"(?i)name already|already exists in|in progress|being deleted|locked|policy|quota|spec\.(?:azureName|owner)|Kubernetes version|the object has been modified|deleted state|RoleAssignment|is in \(?\w+\)? state|provisioning state|while ",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"\b(?P<code>ResourceAvailabilityZonesCannotBeModified|MergeNamespaceFailedWithImmutablePropertyUpdate|AccountPropertyCannotBeUpdated|AccountPropertyIsInvalid|PropertyCannotBeChanged|ResizeDiskError|InPlaceUpdateNotSupported|ImmutableProperty\w*|VersionDowngradeNotSupported|StorageSizeDecrease\w*|ServerStorageDecrease\w*|CannotScaleDown\w*)\b|(?i:is an immutable property)|(?i:partition key (?:paths? )?cannot be changed)|(?i:Partitioning cannot be changed)",
            says="a property cannot be changed[ ({code})]",
            sample="MergeNamespaceFailedWithImmutablePropertyUpdate: ZoneRedundant is an immutable property",
            near_miss="ZoneRedundant was set.",
        ),
        Signature(
            pattern=answered(IMMUTABLE),
            says="a property cannot be changed ({code})",
            sample="performing Update: unexpected status 400 (400 Bad Request) with error: TopicSizeCannotBeChanged: Make another one.",
            near_miss="performing Update: the topic was changed.",
            weight=TYPICAL,
            unless=OTHERS,
            vague=True,
            passes=True,
        ),
        Signature(
            pattern=answer_says(_WORDS),
            says="a property cannot be changed",
            sample="performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: BadRequest: The partition key of a teapot cannot be changed.",
            near_miss="performing CreateOrUpdate: the teapot was made.",
            weight=TYPICAL,
            unless=OTHERS
            + r"|(?i:name already|already exists in|in progress|being deleted|locked|policy|quota|spec\.(?:azureName|owner)|Kubernetes version|the object has been modified|deleted state|RoleAssignment|is in \(?\w+\)? state|provisioning state|while )",
            vague=True,
            passes=True,
        ),
    ),
    why="Size, subnet, zones, network profile, DNS prefix, the identity of the kubelet and some others are fixed when a pool or a cluster is made (the OIDC issuer and managed Entra ID stay on once they are enabled), and other Azure resources have such properties too (the kind, namespace or replication of a storage account, zones of an address, the subnet, version or storage size of a server, the partition key of a container, partitioning of a queue, purge protection of a vault once it is enabled). A template or a tool that sends another value is refused, often because its copy of the settings differs from the real ones.",
    remedy=(
        Step(
            "Compare the template with what is there.",
            run=("az", "aks", "show", "-g", "{resource_group}", "-n", "{cluster}", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "Send the value that the cluster has; to change it, create a new pool or cluster and move the workload.",
            risk=Risk.DISRUPTIVE,
            verify="the same deployment wants to succeed",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/manage-node-pools",),
    leads_to=(
        "aks.operation_failed",
        "aso.not_ready",
        "aso.request_refused",
        "aso.invalid_value",
        "aks.request_refused",
        "aks.deployment_failed",
    ),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)
