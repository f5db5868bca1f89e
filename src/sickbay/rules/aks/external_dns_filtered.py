from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="An ExternalDNS is refused: too many zones, or a field that its schema does not allow",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:ExternalDNS|externaldns\w*).{0,200}?dnsZoneResourceIDs.{0,80}?(?:must have at most|Too many)|dnsZoneResourceIDs: Too many: (?P<count>\d+)",
            says="an ExternalDNS names too many zones",
            sample='The ClusterExternalDNS "web" is invalid: spec.dnsZoneResourceIDs: Too many: 9: must have at most 7 items',
            near_miss="clusterexternaldns.approuting.kubernetes.azure.com/web created",
        ),
    ),
    why="One ExternalDNS serves at most seven zones, all of one type, group and subscription.",
    remedy=(
        Step(
            "Split the zones over several ExternalDNS resources.",
            run=(
                "kubectl",
                "apply",
                "-f",
                "externaldns.yaml",
            ),
            verify="kubectl get clusterexternaldns shows each of them",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/application-routing-gateway-api-dns-tls",
    ),
    ask="kubectl get clusterexternaldns,externaldns -A -o json",
)
