from sickbay.model.aso_codes import IMMUTABLE, told
from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The request changes a property that cannot be changed after creation (PropertyChangeNotAllowed)",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.CREATION),
    detect=(
        Signature(
            pattern=r"\b(?:OIDCIssuerCannotBeDisabled|CannotChange(?:OSDiskType|KubeletDisk)|CustomKubeletConfigOrCustomLinuxOSConfigCanNotBeChanged|CustomRouteTableInvalidUpdateAttempt|UpdateNotAllowed)\b|Operation .{1,40}? is not allowed for managed AAD|\bPropertyChangeNotAllowed\b|\bChange\w+NotAllowed\b|(?i:Changing property '?(?P<property>(?:properties\.)?(?:agentPoolProfile|aadProfile|networkProfile|servicePrincipal|dnsPrefix|linuxProfile|windowsProfile|nodeResourceGroup|identity|apiServerAccess|diskEncryption|enableRBAC|osDisk|vnetSubnet|availabilityZones|vmSize|osType|osSKU|maxPods|type)[\w.\[\]]*)'? (?:isn't|is not) allowed)",
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
    ),
    why="Size, subnet, zones, network profile, DNS prefix and some others are fixed when a pool or a cluster is made, and other Azure resources have such properties too (the namespace of a storage account, the subnet of a server). A template or a tool that sends another value is refused, often because its copy of the settings differs from the real ones.",
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
    leads_to=("aks.operation_failed", "aso.not_ready", "aso.request_refused", "aso.invalid_value"),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)
