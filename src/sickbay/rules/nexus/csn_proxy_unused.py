from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A workload does not use the proxy of its cloud services network (169.254.0.11:3128)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Could not resolve proxy: https?_proxy=http",
            says="the proxy variable holds its own name",
            sample="curl: (5) Could not resolve proxy: http_proxy=http",
            near_miss="curl: (5) Could not resolve proxy: proxy.contoso.com",
        ),
        Signature(
            pattern=r"(?i)\b169\.254\.0\.11\b.{0,120}?(?:refused|timed out)|(?:refused|timed out).{0,120}?\b169\.254\.0\.11\b",
            says="the proxy of the cloud services network does not answer",
            sample="curl: (28) Failed to connect to 169.254.0.11 port 3128: Connection timed out",
            near_miss="curl: connected to 169.254.0.11:3128, response 200",
            weight=TYPICAL,
        ),
    ),
    why="On Nexus a tenant workload reaches the outside only over HTTPS through the proxy 169.254.0.11:3128 of its cloud services network, and only names in the list of egress endpoints. Here the proxy variable is unset or misspelled, or the name is not in the egress list.",
    remedy=(
        Step(
            "Set the variable to the address alone: https_proxy=http://169.254.0.11:3128, and HTTPS_PROXY likewise.",
            risk=Risk.SAFE,
        ),
        Step(
            "See which names may be reached.",
            run=(
                "az",
                "networkcloud",
                "cloudservicesnetwork",
                "list",
                "--query",
                "[].{name:name,enabled:enabledEgressEndpoints,additional:additionalEgressEndpoints}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the name that is missing to additionalEgressEndpoints of the cloud services network.",
            risk=Risk.SAFE,
            verify="curl -x http://169.254.0.11:3128 https://<name> wants an answer other than 403",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-internet-host-virtual-machine",
    ),
    leads_to=("aks.egress_denied", "hybrid.agent_never_reported", "hybrid.cluster_offline"),
    ask="az networkcloud cloudservicesnetwork list -o json",
)
