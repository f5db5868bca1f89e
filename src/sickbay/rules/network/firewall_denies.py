from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Firewall denies this traffic",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?:HTTPS?|TCP|UDP|ICMP\S*|MSSQL) +request from (?P<source>[\d.:]+) to (?P<host>[\w.*:-]+?)(?::(?P<port>\d+))?\. .{0,200}?Action: Deny",
            says="the firewall denies {host}",
            sample="HTTPS request from 10.240.0.4:51234 to packages.example.com:443. Action: Deny. No rule matched. Proceeding with default action",
            near_miss="HTTPS request from 10.240.0.4:51234 to packages.example.com:443. Action: Allow. Rule Collection: aks",
            weight=TYPICAL,
            common=True,
        ),
        Signature(
            pattern=r"\bAZFW(?:Application|Network|Nat|DnsQuery|ThreatIntel|Idps\w*)\w*\b.{0,400}?(?i:Action)\W{1,6}(?i:Deny|Block)|(?i:\"?(?:SourceIP|DestinationIp|Fqdn)\"?)\W{1,4}.{0,400}?\"Action\": ?\"(?:Deny|Block)\".{0,200}?(?i:Policy|Rule|Reason)|(?:HTTPS?|TCP|UDP) +request from (?P<source>[\d.]+):?\d*\. Action: Deny\. (?:Reason: (?P<reason>[^.]{3,120}))?|\bstatus code:? 470\b|Action: Deny\. Reason: No rule matched|ActionReason\W{1,4}(?:Default Action|No rule matched)",
            says="Azure Firewall denied it",
            sample='AZFWApplicationRule SourceIp 10.240.0.4 Fqdn "packages.microsoft.com" Action "Deny" ActionReason "Default Action"',
            near_miss='AZFWApplicationRule SourceIp 10.240.0.4 Fqdn "mcr.microsoft.com" Action "Allow" Rule "aks-fqdn-tag"',
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?:FQDNs?|URLs?|endpoints?|domains?|hosts?|addresses|traffic|requests?|connections?)\b.{0,120}?\b(?:is|are|was|were|being|been|gets?|getting) (?:blocked|denied|dropped) (?:by|at|in|on) (?:the |our |an? )?(?:Azure |corporate |company |hub )?firewall\b",
            says="somebody saw that the firewall blocks it",
            sample="The cluster failed, because new FQDNs are being blocked by Azure Firewall: packages.example.com",
            near_miss="The FQDNs of the tag AzureKubernetesService are allowed by Azure Firewall",
            weight=TYPICAL,
        ),
    ),
    why="The log of Azure Firewall shows the request with the action Deny: no rule allows this source, host and port, or a rule forbids it. The default route (UDR) of the node subnet leads all outbound traffic through it.",
    remedy=(
        Step(
            "Look for what else is denied for the subnet of the cluster.",
            run=(
                "az",
                "monitor",
                "log-analytics",
                "query",
                "-w",
                "<workspace>",
                "--analytics-query",
                "AZFWApplicationRule",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow host and port in an application or network rule; for AKS itself use the tag AzureKubernetesService.",
            verify="the same request is logged as Allow",
        ),
    ),
    leads_to=(
        "network.connection_times_out",
        "network.connection_cut",
        "kubernetes.image_pull_failed",
    ),
    docs=("https://learn.microsoft.com/azure/aks/limit-egress-traffic",),
    ask="az monitor log-analytics query -w <workspace> --analytics-query AZFWApplicationRule",
)
