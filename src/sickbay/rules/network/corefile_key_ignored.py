from sickbay.model.guards import ConfigMap
from sickbay.model.snapshot import Snapshot
from sickbay.network.corefile import CUSTOM, Corefile, corefile_of
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
def has_keys_that_nobody_reads(config: ConfigMap, snapshot: Snapshot) -> Match | Clear | None:
    if config.ref != CUSTOM:
        return None
    corefile = corefile_of(snapshot)
    ignored = [key for key in corefile.unread if not _is_used(key, corefile)]
    if not ignored:
        return Clear(f"CoreDNS reads every key of {config.namespace}/{config.name}")
    return Match(
        f"{config.namespace}/{config.name} has {', '.join(ignored)}, which CoreDNS takes no notice of",
        facts={"key": ignored[0]},
        cites=(config.cite(f"data.{ignored[0]}", "neither .server nor .override"),),
    )


def _is_used(key: str, corefile: Corefile) -> bool:
    """Whether a plugin reads the key as a file: hosts, zones and certificates are kept so."""
    words = (
        word
        for block in corefile.blocks
        for plugin in block.plugins
        for line in (plugin.arguments, *plugin.lines)
        for word in line
    )
    return any(word.endswith(f"/{key}") for word in words)


RULE = Rule(
    title="A key of coredns-custom has the wrong ending, so CoreDNS ignores it",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        has_keys_that_nobody_reads,
        Signature(
            pattern=r"\bcoredns-custom\b.{0,300}?\bdata: .{0,300}?\b(?P<key>[\w.-]+\.(?:conf|cfg|txt|corefile|Corefile|ya?ml)): [|>]",
            says="the key {key} ends neither in .server nor in .override",
            sample="kubectl get configmap coredns-custom -n kube-system -o yaml\ndata:\n  contoso.conf: |\n    contoso.local:53 {\n",
            near_miss="kubectl get configmap coredns-custom -n kube-system -o yaml\ndata:\n  contoso.server: |\n    contoso.local:53 {\n",
            weight=TYPICAL,
        ),
    ),
    why="AKS lets CoreDNS import from the map coredns-custom only keys that end in .server (server blocks of their own) or .override (lines for the main block). A key with another ending is not read, and the forwarder or record in it has no effect.",
    remedy=(
        Step(
            "Rename {key} so that it ends in .server or .override.",
            run=("kubectl", "edit", "configmap", "coredns-custom", "-n", "kube-system"),
            risk=Risk.SAFE,
        ),
        Step(
            "Restart CoreDNS.",
            run=("kubectl", "rollout", "restart", "deployment/coredns", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="a name of the zone resolves from a pod",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/coredns-custom",),
    leads_to=("network.dns_name_unknown", "network.name_resolution_fails"),
    spreads=True,
)
