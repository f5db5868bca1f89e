from sickbay.model.aso_codes import OTHERS, answer_says, said
from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

_WORDS = r"(?i:subnet .{0,200}?(?:size of|too small|at least /\d|service endpoint|network polic|not empty|delegat))"

RULE = Rule(
    title="The subnet does not fit the service: its delegation is missing or foreign, it is not empty, or too small",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?P<code>MiCreateFailedNonDelegatedSubnet|SubnetMissingRequiredDelegation|SubnetDelegationsCannotChange\w*|DelegationNotFound|InvalidSubnetDelegation|ApplicationGatewaySubnet(?:CannotBeUsedByOtherResources|CannotHaveOtherResources|NotEmpty|InvalidDelegation)|VnetSubnetIsNotDelegated|SubnetNotDelegated|NonDelegatedSubnet\w*|ManagedEnvironment(?:V\d)?Subnet(?:Delegation|IsInUse|InUse)\w*|ManagedEnvironmentInvalidNetworkConfiguration|PrivateEndpointCannotBeCreatedInSubnetThatHasNetworkPoliciesEnabled|SubnetHasServiceAssociationLink\w*|SubnetNotAllowed\w*|SubnetsHaveNoServiceEndpointsConfigured|SubnetNotEmpty)\b|serviceAssociationLinks/\w+ already exists|(?:must be|is not|was not|not been|needs to be|should be|has to be) delegated to '?(?P<service>Microsoft\.[\w./]+)|Delegations of subnet \S{1,400} cannot be changed from|requires? subnet delegation|[Oo]nly subnet with name '?\w{4,40}'? can be used|(?i:please delegate subnet)|subnet .{0,80}?must not have (?:a )?delegations?|missing (?:a|the|required) delegations? (?:to )?'?(?P<needed>Microsoft\.[\w./]+)|subnet .{0,300}?(?:cannot|can not|can't) be used (?:because|since|for|as) .{0,160}?(?:has other resources|is not empty|other resources|already (?:in use|delegated)|contains)",
            says="the subnet does not fit[: it must be delegated to {service}]",
            sample="BadRequest: The subnet /subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/db must be delegated to Microsoft.DBforPostgreSQL/flexibleServers",
            near_miss="The subnet db is delegated to Microsoft.DBforPostgreSQL/flexibleServers",
            unless=r"(?i)api ?-?server|delegated to '?Microsoft\.ContainerService/managedClusters|SubnetIsDelegated|AgentPoolProfile|agent pool|InUseSubnetCannotBeDeleted|SubnetWithExternalResources",
        ),
        Signature(
            pattern=said(_WORDS),
            says="the subnet does not fit",
            sample="env1 False Warning BadRequest The subnet of the environment must have a size of at least /23.",
            near_miss="env1 True Succeeded subnet",
            weight=TYPICAL,
            unless=r"(?i)AgentPoolProfile|agent pool|InUse|SubnetIsDelegated|overlap|InsufficientSubnetSize|AuthorizationFailed|outside",
        ),
        Signature(
            pattern=answer_says(_WORDS),
            says="the subnet does not fit",
            sample="performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: BadRequest: The subnet of the teapot must have a size of at least /23.",
            near_miss="performing CreateOrUpdate: the teapot was made.",
            weight=TYPICAL,
            unless=OTHERS
            + r"|(?i:AgentPoolProfile|agent pool|InUse|SubnetIsDelegated|overlap|InsufficientSubnetSize|AuthorizationFailed|outside)",
            vague=True,
            passes=True,
        ),
    ),
    why="Services that live in your virtual network (PostgreSQL and MySQL flexible servers, SQL managed instances, Container Apps, App Service, API Management, Redis, application gateways) want a subnet of their own: delegated to exactly their resource type, free of other resources, of a minimum size, sometimes with a service endpoint or without network policies. The subnet in the request does not meet this, so the service refuses it.",
    remedy=(
        Step(
            "See delegation, size and content of the subnet.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "show",
                "--ids",
                "<subnet-id>",
                "--query",
                "{delegations:delegations,prefix:addressPrefix,used:ipConfigurations,endpoints:serviceEndpoints}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the service a subnet of its own and delegate it, in ASO under spec.delegations of the VirtualNetworksSubnet.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "update",
                "--ids",
                "<subnet-id>",
                "--delegations",
                "<service>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az network vnet subnet show --ids <subnet-id> --query delegations[].serviceName wants the service",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/virtual-network/subnet-delegation-overview",
        "https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-networking-private",
    ),
    leads_to=(
        "aks.parameter_invalid",
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
        "aks.app_gateway_config_refused",
        "aks.request_refused",
        "aks.deployment_failed",
    ),
    ask="az network vnet subnet show --ids <subnet-id> -o json",
)
