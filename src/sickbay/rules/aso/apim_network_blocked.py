from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="API Management in a virtual network is not reachable at its management endpoint: port 3443 blocked (NSG)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)failed to connect to management endpoint at (?P<service>[\w-]+)[\w.-]*\.azure-api\.(?:net|us|cn):3443|\bManagementApiRequestFailed\b|aka\.ms/apim-?vnet-?(?:common)?-?issues",
            says="the management endpoint[ of {service}] does not answer",
            sample="ManagementApiRequestFailed: Failed to connect to management endpoint at shop-apim.management.azure-api.net:3443 for a service deployed in a virtual network. Make sure to follow guidance at https://aka.ms/apim-vnet-common-issues.",
            near_miss="Connected to the management endpoint at shop-apim.management.azure-api.net:3443",
        ),
    ),
    why="Azure manages a service in your network over TCP 3443 from the service tag ApiManagement, and the service itself must reach Storage, SQL, Key Vault and Entra ID. A network security group that does not allow it, a route table that sends the answers through a firewall (asymmetric routing), or DNS servers that do not resolve these names keep the deployment from being finished, or cut off a service that ran.",
    remedy=(
        Step(
            "See what the service reports of its own dependencies.",
            run=(
                "az",
                "rest",
                "--method",
                "get",
                "--url",
                "https://management.azure.com<service-id>/networkstatus?api-version=2022-08-01",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow inbound TCP 3443 from the service tag ApiManagement (and 6390 from AzureLoadBalancer) in the security group of the subnet, and outbound to Storage, Sql, AzureKeyVault and AzureActiveDirectory; give the tag ApiManagement the next hop Internet in the route table."
        ),
        Step(
            "Send the network configuration again.",
            run=(
                "az",
                "apim",
                "apply-network-updates",
                "-g",
                "{resource_group}",
                "-n",
                "{service}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the network status wants every dependency to say success",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/api-management/virtual-network-reference",
        "https://learn.microsoft.com/azure/api-management/api-management-using-with-vnet",
    ),
    leads_to=(
        "aso.request_refused",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.not_ready",
    ),
    ask="az rest --method get --url https://management.azure.com<service-id>/networkstatus?api-version=2022-08-01",
)
