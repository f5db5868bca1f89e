from sickbay.model.aks import ManagedCluster
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.network.apiserver_names import Fault, trouble
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(ManagedCluster)
def servers_do_not_ask_azure(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.is_private:
        return None
    found = trouble(snapshot, cluster, Fault.SERVER)
    if found is None:
        return Clear(f"the DNS servers of {cluster.name} get answers of Azure's DNS")
    network = arm(found.network)
    server, fqdn = found.by.name, cluster.private_fqdn or ""
    # Nobody can set up a forwarder on a resolver that is not theirs.
    is_theirs = found.by.kind == "DnsServer" and "public" in found.by.says
    advice = (
        f"Put a DNS server of your own, or Azure's at 168.63.129.16, in the place of {server}, which is a public one and can never know the zone of {fqdn}."
        if is_theirs
        else f"On {server}, forward the zone of {fqdn} to 168.63.129.16; on Azure Firewall, turn the DNS proxy on."
    )
    return Match(
        f"{found.by.kind} {found.by.name} {found.by.says}, and network {network.name} asks it "
        f"for {cluster.private_fqdn}",
        facts={
            "advice": advice,
            "network": network.name,
            "network_group": network.group,
            "network_id": network.id,
            "fqdn": fqdn,
        },
        cites=(cluster.cite("properties.privateFQDN", cluster.private_fqdn),),
    )


RULE = Rule(
    title="The DNS servers of the node network do not forward to Azure's DNS at 168.63.129.16",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES, Category.CREATION),
    detect=(
        servers_do_not_ask_azure,
        Signature(
            pattern=r"(?i)(?:no|missing|without|lacks?|need(?:s|ed)? (?:a|the)) conditional forwarders?\b|conditional forwarders?\b.{0,60}?(?:missing|not (?:set|configured|there)|does not exist)|(?:custom|on-?prem\w*|corporate) DNS(?: servers?)?\b.{0,120}?(?:does not|do not|doesn't|don't|not) forward\w*.{0,80}?(?:168\.63\.129\.16|Azure)",
            says="the DNS servers lack a forwarder to Azure",
            sample="on-prem DNS server has no conditional forwarder for privatelink.blob.core.windows.net to Azure",
            near_miss="custom DNS servers forward to 168.63.129.16",
            weight=TYPICAL,
        ),
    ),
    why="A virtual network with custom DNS servers asks these for every name. The private name of the API server is known to Azure's DNS alone, so a custom server must forward the zone to 168.63.129.16 from a network that is linked to it: a public resolver cannot, and Azure Firewall only with its DNS proxy on.",
    remedy=(
        Step(
            "See the DNS servers of the network.",
            run=(
                "az",
                "network",
                "vnet",
                "show",
                "--ids",
                "{network_id}",
                "--query",
                "dhcpOptions.dnsServers",
            ),
            risk=Risk.READ,
        ),
        Step("{advice}"),
        Step(
            "Or let the network ask Azure's DNS itself; nodes take it over when they restart.",
            run=(
                "az",
                "network",
                "vnet",
                "update",
                "--ids",
                "{network_id}",
                "--dns-servers",
                "168.63.129.16",
            ),
            risk=Risk.DISRUPTIVE,
            verify="nslookup {fqdn} in {network} wants the private address of the API server",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/private-clusters#hub-and-spoke-with-custom-dns",
        "https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16",
    ),
    leads_to=(
        "aks.private_cluster_name",
        "aks.node_dns_fails",
        "network.api_timeout",
        "network.konnectivity_cut_off",
        "kubernetes.kubelet_silent",
    ),
    ask="nslookup {fqdn}",
    spreads=True,
)
