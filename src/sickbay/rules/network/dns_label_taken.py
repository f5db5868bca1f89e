from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The DNS label of a public address is already used by another one in the region (DnsRecordInUse)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)there is an existing service \S{1,200} consuming the DNS label on the public IP|\bDnsRecordInUse\b|DNS record (?P<host>[\w.-]+\.cloudapp\.[\w.-]+) is already used",
            says="the DNS label is taken in this region",
            sample='{"error":{"code":"DnsRecordInUse","message":"DNS record shop.westeurope.cloudapp.azure.com is already used by another public IP."}}',
            near_miss="DNS record shop.westeurope.cloudapp.azure.com was created",
        ),
    ),
    why="A DNS label of a public address (azure-dns-label-name) must be unique in its region over all subscriptions. Another address, often one that an earlier cluster or service left behind, holds it.",
    remedy=(
        Step(
            "Find who holds the label.",
            run=(
                "az",
                "network",
                "public-ip",
                "list",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Release it there, or take another label in the annotation.",
            verify="the service gets its address",
        ),
    ),
    leads_to=(
        "kubernetes.load_balancer_fails",
        "aks.operation_failed",
        "aks.deployment_failed",
    ),
    docs=("https://learn.microsoft.com/azure/aks/load-balancer-standard",),
    ask="az network public-ip list -o table",
)
