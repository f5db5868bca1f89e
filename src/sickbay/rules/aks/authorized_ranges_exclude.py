from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.network.apiserver import Client, callers_of, decide, ranges_of
from sickbay.network.traffic import Verdict
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


@each(ManagedCluster, TYPICAL)
def leave_out_the_client(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear:
    ranges = ranges_of(cluster)
    if not ranges or cluster.is_private or cluster.is_stopped:
        return Clear(f"{cluster.name} has no authorized IP ranges that decide")
    # Machines of Azure itself call too, and have nothing to do with the API server.
    callers = callers_of(snapshot)
    people = [one for one in callers if not one.who] or [one for one in callers if "@" in one.who]
    asked = [(one, decide(snapshot, cluster, Client(address=one.address))) for one in people]
    outside = [one for one, decision in asked if decision.verdict is Verdict.BLOCKED]
    nobody = decide(snapshot, cluster, Client(network=cluster.id))
    if nobody.verdict is Verdict.ALLOWED or (people and not outside):
        return Clear(f"the authorized IP ranges of {cluster.name} admit who called Azure")
    if nobody.verdict is Verdict.BLOCKED:
        return _match(cluster, ranges, nobody.by[0].says)
    if people and len(outside) == len(people):
        who = outside[0]
        says = f"has authorized IP ranges ({', '.join(ranges[:MOST_NAMED])}) that leave out"
        called = f"from where {who.who} called Azure on {who.day}" if who.who else "the client"
        says = f"{says} {who.address}, {called}"
        # They may never ask the API server: only who also fails to connect has a fault.
        return _match(cluster, ranges, says, who.address)._replace(
            felt_as=("aks.api_server_unreachable",)
        )
    raise UnseenError(
        Gap(
            "client address",
            f"whether the client is in {', '.join(ranges[:MOST_NAMED])}",
            to_open="curl -s https://ifconfig.me",
        )
    )


def _match(cluster: ManagedCluster, ranges: tuple[str, ...], says: str, address: str = "") -> Match:
    listed = ", ".join(ranges)
    return Match(
        f"{cluster.name} {says}",
        facts={"ranges": ",".join(ranges), "client": address, "hosts": cluster.fqdn or ""},
        cites=(cluster.cite("properties.apiServerAccessProfile.authorizedIPRanges", listed),),
    )


MOST_NAMED = 5


RULE = Rule(
    title="The authorized IP ranges of the API server leave out the client",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        leave_out_the_client,
        Signature(
            pattern=r"(?i)(?:ip(?: address)?|client|address) (?:(?P<client>\d+\.\d+\.\d+\.\d+)\b)?.{0,80}?not (?:in|part of|included in|within|allowed by|covered by) .{0,40}?authorized ip (?:address )?ranges?|authorized ip (?:address )?ranges? .{0,60}?(?:do|does) not (?:include|contain|allow|cover)",
            says="the client is not in the authorized IP ranges",
            sample="Client IP address 203.0.113.7 is not in the authorized IP ranges of the API server",
            near_miss="Client IP address 203.0.113.7 was added to the authorized IP ranges of the API server",
            weight=TYPICAL,
        ),
    ),
    why="With authorized IP ranges the API server drops every connection from elsewhere without an answer, so that kubectl times out. A client behind a changed provider address, a VPN, a proxy or a new NAT gateway falls out of the list.",
    remedy=(
        Step(
            "See the ranges.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "apiServerAccessProfile.authorizedIpRanges",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the address that the client comes from.",
            run=("curl", "-s", "https://ifconfig.me"),
            risk=Risk.READ,
        ),
        Step(
            "Add it to the ranges, and keep those that are there.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--api-server-authorized-ip-ranges",
                "{ranges},{client}/32",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants an answer",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/client-ip-address-cannot-access-api-server",
        "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges",
    ),
    leads_to=("aks.api_server_unreachable",),
    ask="az aks show -g {resource_group} -n {cluster} --query apiServerAccessProfile.authorizedIpRanges",
)
