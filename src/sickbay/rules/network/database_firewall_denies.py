from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The firewall of an Azure database does not admit the address of the cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Client with IP address '?(?P<address>[\d.]+)'? is not allow|no pg_hba\.conf entry for host \"?(?P<client>[\da-f.:]+)\"?|Client from Azure Virtual Networks is not allowed to access the server|Host '(?P<host>[\d.]+)' is not allowed to connect to this (?:MySQL|MariaDB) server|Connection was denied (?:since|because) Deny Public Network Access|public (?:network )?access (?:is disabled|on this server is disabled).{0,120}?(?:private endpoint|server)|not allowed to access (?:the )?(?:server|account) .{0,60}?firewall",
            says="a database refused a client by its address",
            sample="Cannot open server 'shopsql' requested by the login. Client with IP address '20.50.1.2' is not allowed to access the server.",
            near_miss="Login failed for user 'app'. (Microsoft SQL Server, Error: 18456)",
            unless=r"SSL off|no encryption",
        ),
    ),
    why="The database was reached and refused the client by its source address: its firewall rules or virtual network rules do not hold the outbound address (or subnet) of the cluster, or its public access is off and the client did not come over the private endpoint.",
    remedy=(
        Step(
            "See by which addresses the cluster goes out.",
            run=(
                "az",
                "aks",
                "show",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--query",
                "networkProfile.loadBalancerProfile.effectiveOutboundIPs",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Admit them in the firewall of the database, or add the subnet of the nodes with a service endpoint.",
            verify="the program connects",
        ),
        Step(
            "Better: connect by a private endpoint, whose private DNS zone is linked to the network of the cluster."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-sql/database/firewall-configure",
        "https://learn.microsoft.com/azure/postgresql/flexible-server/concepts-firewall-rules",
    ),
    ask="az aks show --resource-group {resource_group} --name {cluster} --query networkProfile",
)
