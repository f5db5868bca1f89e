from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subnet of the Application Gateway lacks the route table of a kubenet cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Unable to associate Application Gateway subnet '?(?P<subnet>[^' ]{3,400})'? with route table",
            says="the gateway's subnet could not be given the route table of the nodes",
            sample="main.go:194] Unable to associate Application Gateway subnet '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/gw' with route table '/subscriptions/s/x' due to error",
            near_miss="Associated Application Gateway subnet '/subscriptions/s/x' with route table '/subscriptions/s/y'",
            weight=TYPICAL,
        ),
    ),
    why="With kubenet the addresses of pods are known only to the route table of the nodes. AGIC associates that table with the gateway's subnet at its start; where its identity may not read the table in the node resource group or join the subnet, the gateway cannot reach any pod and answers 502.",
    remedy=(
        Step(
            "Give the identity of AGIC the role Network Contributor on the gateway's subnet, and Reader on the node resource group.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee",
                "<agic-identity>",
                "--role",
                "Network Contributor",
                "--scope",
                "{subnet}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Or associate the table by hand.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "update",
                "--ids",
                "{subnet}",
                "--route-table",
                "<route-table-id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the backend health of the gateway is Healthy",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/application-gateway/configuration-infrastructure#supported-user-defined-routes",
    ),
    ask="az network vnet subnet show --ids {subnet} --query routeTable.id",
)
