from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subnet for API server VNet integration cannot be used: delegation, size, role or region does not fit",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bApi-?[sS]erver(?:Vnet\w*|Subnet\w*)(?:Error|Invalid|NotDelegated|Conflict|NotAllowed|NotSupported)\w*\b|(?i:(?:api ?-?server|apiserver)[ -]?(?:subnet|vnet integration).{0,200}?(?:delegat|must|too small|cannot|not (?:valid|allowed|supported|enough)|invalid|in use|required|same (?:virtual )?network|/28|shared))|(?i:(?:must be|is not|not) delegated to '?Microsoft\.ContainerService/managedClusters)|(?i:subnet\b.{0,160}?\bapi ?-?server vnet integration.{0,120}?(?:must|cannot|delegat|not ))",
            says="the subnet of the API server is refused",
            sample="(BadRequest) The subnet /subscriptions/0/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/apiserver used by API server vnet integration must be delegated to Microsoft.ContainerService/managedClusters.",
            near_miss="The subnet apiserver of cluster shop has the delegation aks to Microsoft.ContainerService/managedClusters",
            unless=r"(?i)not registered|feature",
        ),
    ),
    why="With API server VNet integration the control plane is projected into a subnet of your own. It must be empty of other resources, at least a /28, in the network of the nodes, delegated to Microsoft.ContainerService/managedClusters, and the cluster identity needs Network Contributor on it; once set, it cannot be taken back.",
    remedy=(
        Step(
            "Delegate the subnet.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "update",
                "-g",
                "<network-group>",
                "--vnet-name",
                "<network>",
                "-n",
                "<subnet>",
                "--delegations",
                "Microsoft.ContainerService/managedClusters",
            ),
            risk=Risk.SAFE,
            verify="az network vnet subnet show --query delegations wants managedClusters",
        ),
        Step(
            "Give the cluster identity its role there.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<cluster-identity>",
                "--role",
                "Network Contributor",
                "--scope",
                "<subnet-id>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Use a subnet of /28 or larger that nothing else stands in, for this cluster alone or shared with clusters of the same region."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/api-server-vnet-integration",),
    leads_to=("aks.request_refused",),
    ask="az network vnet subnet show --ids <subnet-id> -o json",
)
