from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure SQL redirects clients to ports 11000 to 11999, which are closed on the way (connection policy Redirect)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)(?:database\.windows\.net|\bSQL\b|sqlserver|connection policy).{0,400}?(?::| port )(?P<port>11\d{3})\b.{0,80}?(?:timed? ?out|i/o timeout|refused|failed)|\bconnection ?(?:policy|type)\W.{0,40}?\bRedirect\b.{0,200}?(?:time(?:d|s)? ?out|cannot connect|can't connect|blocked)",
            says="a client of Azure SQL is sent to another port[ ({port})], and gets no answer there",
            sample="mssql: connect to sql-orders.database.windows.net: redirected, dial tcp 10.81.4.9:11002: i/o timeout",
            near_miss="mssql: connect to sql-orders.database.windows.net: dial tcp 10.81.4.9:1433: i/o timeout",
            weight=TYPICAL,
        ),
    ),
    why="With the connection policy Redirect (the default for clients inside Azure) the gateway of Azure SQL answers on 1433 and sends the client on to the node of the database, on a port from 11000 to 11999. A firewall or network security group that admits 1433 alone lets the first step through and drops the second.",
    remedy=(
        Step(
            "See the policy of the server.",
            run=("az", "sql", "server", "conn-policy", "show", "-g", "<group>", "-s", "<server>"),
            risk=Risk.READ,
        ),
        Step(
            "Admit TCP 11000 to 11999 beside 1433 to the service tag Sql of the region (or to the subnet of the private endpoint)."
        ),
        Step(
            "Or let all traffic stay on 1433, at the price of some latency.",
            run=(
                "az",
                "sql",
                "server",
                "conn-policy",
                "update",
                "-g",
                "<group>",
                "-s",
                "<server>",
                "-t",
                "Proxy",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the program connects",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-sql/database/connectivity-architecture",),
    leads_to=("network.connection_times_out", "kubernetes.program_fails"),
    ask="az sql server conn-policy show -g <group> -s <server>",
)
