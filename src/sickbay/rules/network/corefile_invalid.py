from sickbay.model.guards import ConfigMap
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
from sickbay.network.corefile import CUSTOM, MAIN, corefile_of
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


@each(ConfigMap)
def is_refused(config: ConfigMap, snapshot: Snapshot) -> Match | Clear | None:
    if config.ref not in (MAIN, CUSTOM):
        return None
    corefile = corefile_of(snapshot)
    faults = [fault for fault in corefile.faults if fault.ref == config.ref]
    if not faults:
        return Clear(f"CoreDNS can read {config.namespace}/{config.name}")
    first = faults[0]
    more = f", and {len(faults) - 1} faults more" if len(faults) > 1 else ""
    # What a configuration does, its pods show: they belong to the deployment.
    server = snapshot.find(kube(Deployment.kind, "kube-system", "coredns"))
    return Match(
        f"{first.place} of {config.namespace}/{config.name} {first.says}{more}",
        facts={"map": config.name, "place": first.place},
        cites=(config.cite(f"data.{first.place.rpartition(':')[0]}", first.says),),
        # The main part may be another than the usual one.
        subject=server.ref if server else None,
        weight=TYPICAL if corefile.is_assumed and "second time" in first.says else None,
    )


RULE = Rule(
    title="CoreDNS refuses its configuration (Corefile, coredns-custom), and stays down after its next start",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        is_refused,
        Signature(
            pattern=r"(?:Corefile|/etc/coredns/custom/(?P<file>[\w.-]+)):\d+ - Error during parsing: |plugin/\w+: .{0,100}?(?:unknown (?:directive|property|option|argument)|Unknown directive|not an IP address or file|Wrong argument count|this plugin can only be used once)|Unknown directive '(?P<word>[\w.-]+)'|this server block .{0,120}? already defined|[Cc]annot serve \S{1,253} - it is already defined",
            says="CoreDNS cannot read its configuration",
            sample="/etc/coredns/custom/contoso.server:3 - Error during parsing: Unknown directive 'forwardd'",
            near_miss="/etc/coredns/custom/contoso.server:3 - parsing: directive 'forward'",
        ),
    ),
    why="CoreDNS reads its Corefile with the keys of coredns-custom in it when it starts or reloads. With a plugin that it does not know, a zone that is served twice or a brace that is missing it refuses the whole: pods that run go on with the old configuration, and every pod that starts crashes, until none is left and no name resolves.",
    remedy=(
        Step(
            "See the configuration.",
            run=(
                "kubectl",
                "get",
                "configmap",
                "coredns-custom",
                "-n",
                "kube-system",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct [{place}, ]the line that CoreDNS refuses[, in the map {map}].",
            run=("kubectl", "edit", "configmap", "coredns-custom", "-n", "kube-system"),
            risk=Risk.SAFE,
        ),
        Step(
            "Restart CoreDNS.",
            run=("kubectl", "rollout", "restart", "deployment/coredns", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl logs -n kube-system -l k8s-app=kube-dns shows no error of parsing",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/coredns-custom",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/dns/basic-troubleshooting-dns-resolution-problems",
    ),
    leads_to=(
        "kubernetes.coredns_down",
        "kubernetes.crash_loop",
        "kubernetes.program_fails",
    ),
    ask="kubectl get configmap coredns coredns-custom -n kube-system -o yaml",
)
