from sickbay.model.aks import ManagedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import parse
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each

TENTH = 10


@each(ManagedCluster)
def lies_outside(cluster: ManagedCluster, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    profile = cluster.network_profile
    address = (profile and profile.dns_service_ip) or ""
    range = (profile and profile.service_cidr) or ""
    dns, services = parse(address), parse(range)
    if dns is None or services is None:
        return None
    if services.contains(dns) and dns.first != services.first:
        return None
    wrong = "is the first address of" if services.contains(dns) else "lies outside"
    return Match(
        f"the DNS service address {address} {wrong} {range}",
        facts={"range": range, "address": _written(services.first + TENTH)},
        cites=(cluster.cite("networkProfile.dnsServiceIP", address),),
    )


def _written(number: int) -> str:
    return ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))


RULE = Rule(
    title="The DNS service address lies outside the service CIDR",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        lies_outside,
        Signature(
            pattern=r"(?i)\bDns(?:ServiceIp|BroadcastAddress)Conflicting\b|\bDnsServiceIpOutOfServiceCidr\b|dns service ip .{0,60}?(?:is not (?:in|within)|out of|outside) .{0,40}?service ?cidr",
            says="the DNS service address is outside the service CIDR",
            sample="DnsServiceIpOutOfServiceCidr: The specified DNS service IP 10.1.0.10 is out of the specified service CIDR 10.0.0.0/16.",
            near_miss="The specified DNS service IP 10.0.0.10 is in the specified service CIDR 10.0.0.0/16",
        ),
    ),
    why="The cluster's DNS is a service, so its address must come from the service CIDR, and must not be the first address there.",
    remedy=(
        Step(
            "Choose an address inside the service CIDR, for instance the tenth.",
            run=(
                "az",
                "aks",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--service-cidr",
                "{range}",
                "--dns-service-ip",
                "{address}",
            ),
            risk=Risk.SAFE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/dnsserviceipoutofservicecidr-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile",
)
