from sickbay.model.guards import ConfigMap
from sickbay.model.kubernetes import Node
from sickbay.model.snapshot import Snapshot
from sickbay.network.corefile import MAIN, Corefile, corefile_of
from sickbay.network.corefile_routes import Action, course_of
from sickbay.network.services_mistakes import is_close
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_ZONE = "cluster.local"
_SOME_SERVICE = f"kubernetes.default.svc.{_ZONE}"


@each(ConfigMap)
def serves_another_zone(config: ConfigMap, snapshot: Snapshot) -> Match | Clear | None:
    if config.ref != MAIN:
        return None
    corefile = corefile_of(snapshot)
    course = course_of(corefile, _SOME_SERVICE)
    if course.action in (Action.SERVICE, Action.UNSURE):
        return Clear(f"CoreDNS answers for {_ZONE}")
    zones = _zones(corefile)
    other = next((zone for zone in zones if is_close(zone, _ZONE)), "")
    # Clusters that are not of AKS may have a domain of their own.
    if zones and not other and not _is_aks(snapshot):
        return Clear(f"CoreDNS answers for {zones[0]}, the domain that this cluster may have")
    served = other or (zones[0] if zones else "no zone of services")
    return Match(
        f"CoreDNS serves {served}, and the names of services end with {_ZONE}: {course.says}",
        facts={"map": config.name, "zone": served},
        cites=(config.cite("data.Corefile", f"kubernetes {served}"),),
    )


def _zones(corefile: Corefile) -> list[str]:
    """The zones of names that the services of the cluster are served under."""
    said = [
        zone.casefold().rstrip(".")
        for block in corefile.blocks
        for plugin in block.plugins
        if plugin.name == "kubernetes"
        for zone in plugin.arguments or tuple(zone for zone, _ in block.zones)
    ]
    return [zone for zone in said if not zone.endswith(".arpa")]


def _is_aks(snapshot: Snapshot) -> bool:
    return any("kubernetes.azure.com/cluster" in node.labels for node in snapshot.all(Node))


RULE = Rule(
    title="CoreDNS does not answer for the cluster's own zone (cluster.local), so no service is found by its name",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(serves_another_zone,),
    why="The plugin `kubernetes` of the Corefile names the zone under which services have their names. The kubelets tell every pod to search in cluster.local; where the plugin names another zone, is missing, or stands in a block that does not serve the zone, CoreDNS hands the names of services to the servers outside, which know none of them.",
    remedy=(
        Step(
            "See the Corefile.",
            run=("kubectl", "get", "configmap", "{map}", "-n", "kube-system", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Let the plugin read `kubernetes cluster.local in-addr.arpa ip6.arpa` instead of {zone}.",
            run=("kubectl", "edit", "configmap", "{map}", "-n", "kube-system"),
            risk=Risk.SAFE,
        ),
        Step(
            "Restart CoreDNS.",
            run=("kubectl", "rollout", "restart", "deployment/coredns", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="nslookup kubernetes.default.svc.cluster.local from a pod answers",
        ),
    ),
    docs=(
        "https://coredns.io/plugins/kubernetes/",
        "https://learn.microsoft.com/azure/aks/coredns-custom",
    ),
    leads_to=(
        "network.dns_name_unknown",
        "network.dns_server_silent",
        "network.name_resolution_fails",
    ),
    spreads=True,
)
