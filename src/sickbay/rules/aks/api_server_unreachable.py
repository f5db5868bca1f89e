from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server of the cluster does not answer the client",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Unable to connect to the server: (?:dial tcp:? [\w<\[*]|net/http|EOF|context deadline|read tcp)|[Kk]ubernetes cluster unreachable: Get \S{1,300}: (?:dial tcp \S{3,80}: (?:i/o timeout|connectex|connect: )|net/http: request canceled|context deadline)|[Kk]ubernetes cluster unreachable\W{0,4}$|[Uu]nable to reach the api server|(?P<host>[\w.<>-]+\.azmk8s\.io)\S{0,300}:? (?:dial tcp|EOF|net/http: TLS handshake timeout|context deadline exceeded|i/o timeout)|server APIs: v1: Get \S{1,200}azmk8s\.io\S{0,100}: net/http: request canceled|(?P<name_of_api>[\w.<>-]+\.azmk8s\.io):443: (?:i/o timeout|connect:|connectex:)|couldn't get current server API group list: Get \S{1,300}: dial tcp \S{3,80}: (?:i/o timeout|connectex: A conn|connect: (?:connection timed out|no route to host))|The connection to the server (?P<server>[\w-]+\.[\w.:-]+) was refused",
            says="the API server did not answer",
            sample="Unable to connect to the server: dial tcp 20.50.2.7:443: i/o timeout",
            near_miss="Client Version: v1.30.1 Server Version: v1.30.0, connected to the server",
            weight=SYMPTOM,
            # The API server, or something in its name, did answer: rules of their own tell these.
            unless=r"Unable to connect to the server: (?:EOF|unexpected EOF|net/http: TLS handshake timeout|read tcp)|azmk8s\.io\S{0,300}: (?:EOF|net/http: TLS handshake timeout)",
        ),
    ),
    why="The client found no way to port 443 of the API server. Authorized IP ranges that leave the client out, a private cluster seen from outside its network, a stopped cluster and a blocked route all look the same from here.",
    remedy=(
        Step(
            "See who may reach the API server, and whether the cluster runs.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "{power:powerState.code,access:apiServerAccessProfile,fqdn:fqdn,privateFqdn:privateFqdn}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask from inside Azure: if this works, the way from the client is at fault.",
            run=(
                "az",
                "aks",
                "command",
                "invoke",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--command",
                "kubectl get nodes",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/troubleshoot-cluster-connection-issues-api-server",
    ),
)
