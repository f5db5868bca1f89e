"""What public DNS answers, as far as evidence and the nature of a name tell."""

from typing import Final

from sickbay.model.evidence import Gap
from sickbay.model.snapshot import Snapshot
from sickbay.network.names_answers import Resolution, answered
from sickbay.network.names_endpoints import known_names, server_addresses
from sickbay.network.traffic import Decider, Verdict

PUBLIC_DNS: Final = "PublicDns"
# Names of private clusters live in private zones only.
_PRIVATE_LABELS: Final = frozenset({"privatelink", "private"})
_OF_CLUSTERS: Final = (".azmk8s.io", ".azk8s.cn", ".containerservice.azure.us")
# Top-level names that were set aside, or are used inside of companies only.
_NEVER_PUBLIC: Final = frozenset(
    "alt corp example home internal intranet invalid lan local localhost private test".split()
)


def ask_public(snapshot: Snapshot, name: str) -> Resolution:
    """Answer for a name that no private zone and no server of the network answers for."""
    known = known_names(snapshot)
    if name in known.public:
        by = Decider(PUBLIC_DNS, name, f"is the name of public address {known.public[name]}")
        return answered(Verdict.ALLOWED, by, (known.public[name],))
    cluster = known.clusters.get(name)
    if is_private_only(name):
        return _missing(name, "public DNS does not know the name, which is in a private zone only")
    if cluster and cluster.is_private:
        access = cluster.api_server_access_profile
        if access and access.enable_private_cluster_public_fqdn is False:
            return _missing(name, f"{cluster.name} has no public name")
        addresses = server_addresses(snapshot, cluster)
        where = ", ".join(addresses) or "an address of the cluster's network"
        by = Decider(PUBLIC_DNS, name, f"public DNS answers {where}, which is private", cluster.ref)
        return answered(Verdict.ALLOWED, by, addresses)
    last = name.rpartition(".")[2]
    if "." not in name or last in _NEVER_PUBLIC:
        return _missing(name, f"public DNS knows nothing under .{last}")
    by = Decider(PUBLIC_DNS, name, "public DNS answers, for no private zone does")
    gap = Gap("public DNS", f"the public addresses of {name}", to_open=f"nslookup {name}")
    return answered(Verdict.ALLOWED, by, (), gap)


def is_private_only(name: str) -> bool:
    """Whether a name is one of an API server that public DNS never has."""
    return name.endswith(_OF_CLUSTERS) and not _PRIVATE_LABELS.isdisjoint(name.split("."))


def _missing(name: str, says: str) -> Resolution:
    return answered(Verdict.BLOCKED, Decider(PUBLIC_DNS, name, says))
