from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The firewall of an Azure service (Cosmos DB, Service Bus, App Configuration, AI) does not admit the cluster",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)blocked by your Cosmos DB account firewall|Request originated from IP (?P<address>[\d.]+) through (?:public internet|Azure)|Ip has been prevented to connect to the endpoint|forbidden from the current network|Access denied due to Virtual Network/Firewall rules|Traffic is not from an approved private endpoint|Public access is disabled\. Please configure private endpoint",
            says="the service refuses the network of the cluster",
            sample="Request originated from IP 20.1.2.3 through public internet. This is blocked by your Cosmos DB account firewall settings. More info: https://aka.ms/cosmosdb-tsg-forbidden",
            near_miss="Request originated from a private endpoint and is allowed",
        ),
    ),
    why="The service admits selected networks only, or has its public network access disabled, and the call came from an address that is not among them: the outbound address of the cluster, or a subnet without service endpoint. With a private endpoint it also means that the name resolves to the public address.",
    remedy=(
        Step(
            "See how the name resolves in a pod.",
            run=(
                "kubectl",
                "run",
                "dns",
                "--image=mcr.microsoft.com/azure-cli",
                "--restart=Never",
                "-it",
                "--rm",
                "--",
                "nslookup",
                "<service-name>",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "See the outbound addresses of the cluster.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "networkProfile.loadBalancerProfile.effectiveOutboundIPs",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Admit the subnet or the outbound address in the firewall of the service, or make a private endpoint and link its private DNS zone to the network of the nodes.",
            verify="the call is answered",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/private-link/private-endpoint-dns",
        "https://learn.microsoft.com/azure/cosmos-db/how-to-configure-firewall",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile",
)
