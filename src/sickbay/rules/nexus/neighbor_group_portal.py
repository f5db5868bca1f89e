from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The portal cannot create a neighbor group: it sends an empty IPv6 list",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Microsoft\.Resources/deployments/action'? over scope '?/subscriptions/[^ ']{1,80}/providers/Microsoft\.Resources/deployments/register",
            says="the portal asks for a permission that does not exist",
            sample="The client does not have authorization to perform action 'Microsoft.Resources/deployments/action' over scope '/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Resources/deployments/register' or the scope is invalid.",
            near_miss="The client does not have authorization to perform action 'Microsoft.Resources/deployments/write' over scope '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg1'",
        ),
    ),
    why="For a neighbor group without IPv6 addresses the portal adds an empty ipv6Addresses array, and what comes back looks like a missing permission (AuthorizationFailed on Microsoft.Resources/deployments/action). No role would help.",
    remedy=(
        Step(
            "Create the neighbor group from a template, or with the command line, and leave ipv6Addresses out.",
            run=(
                "az",
                "networkfabric",
                "neighborgroup",
                "create",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
                "--location",
                "{location}",
                "--destination",
                "{ipv4Addresses:[<address>]}",
            ),
            risk=Risk.SAFE,
            verify="az networkfabric neighborgroup show -g {resource_group} --resource-name {name} wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-packet-broker",
    ),
    leads_to=("aks.authorization_failed",),
    ask="az networkfabric neighborgroup list -o json",
)
