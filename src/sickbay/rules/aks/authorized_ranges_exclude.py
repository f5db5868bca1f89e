from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import contains, parse
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
def may_leave_out_the_client(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear:  # noqa: ARG001
    access = cluster.api_server_access_profile
    ranges = (access and access.authorized_ip_ranges) or []
    if not ranges:
        return Clear(f"{cluster.name} has no authorized IP ranges")
    if any(contains(one, "0.0.0.0/0") for one in ranges):
        return Clear(f"the authorized IP ranges of {cluster.name} admit everybody")
    if all(parse(one) is None or parse(one) == parse(NOBODY) for one in ranges):
        return Match(
            f"the authorized IP ranges of {cluster.name} ({', '.join(ranges)}) admit nobody",
            cites=(
                cluster.cite(
                    "properties.apiServerAccessProfile.authorizedIPRanges", ", ".join(ranges)
                ),
            ),
        )
    # Nothing that we collect holds the address of whoever failed to connect.
    raise UnseenError(
        Gap(
            "client address",
            f"whether the client is in {', '.join(ranges[:5])}",
            to_open="curl -s https://ifconfig.me",
        )
    )


NOBODY = "0.0.0.0/32"


RULE = Rule(
    title="The authorized IP ranges of the API server leave out the client",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        may_leave_out_the_client,
        Signature(
            pattern=r"(?i)(?:ip(?: address)?|client|address) .{0,80}?not (?:in|part of|included in|within|allowed by|covered by) .{0,40}?authorized ip (?:address )?ranges?|authorized ip (?:address )?ranges? .{0,60}?(?:do|does) not (?:include|contain|allow|cover)",
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
                "<ranges>,<client-address>/32",
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
