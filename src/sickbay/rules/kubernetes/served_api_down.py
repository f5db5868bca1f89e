from sickbay.model.guards import APIService
from sickbay.model.snapshot import Snapshot
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


@each(APIService)
def is_not_available(api: APIService, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    available = api.available
    if available is None or available.status != "False":
        return Clear(f"{api.name} is available")
    return Match(
        f"{api.name} is not available: {available.reason or ''} {available.message or ''}".rstrip(),
        facts={"api": api.name},
        cites=(api.cite("status.conditions[Available]", available.reason),),
        at=available.last_transition_time or "",
    )


RULE = Rule(
    title="An aggregated API (such as metrics, metrics-server) is not available",
    severity=Severity.WARNING,
    categories=(Category.SCALING, Category.WORKLOAD),
    detect=(
        is_not_available,
        Signature(
            pattern=r"loading OpenAPI spec for \"(?P<spec>[\w.-]+)\" failed with: .{0,200}?(?:503|unavailable)|FailedDiscoveryCheck|available_controller\.go:\d+\] (?P<failing>v\d\w*\.[\w.]+) failed with: |(?:couldn't get|unable to retrieve).{0,80}?(?:resource list for|the complete list of server APIs:?) \"?(?P<api>[\w./]+)|failed to discover some groups: (?:map\[)?(?P<group>[\w./-]+)|could not get list of group versions for APIService|stale GroupVersion discovery: (?P<stale>[\w./]+)|\b(?P<gone>v\d\w*\.[\w.]+) \S+ False \((?:FailedDiscoveryCheck|MissingEndpoints|ServiceNotFound)\)|Metrics API not available|unable to handle the request \(get \w+\.(?:[\w-]+\.)?metrics\.k8s\.io\)",
            says="an aggregated API is not available",
            sample="E0112 10:11:12.131415 1 memcache.go:287] couldn't get resource list for metrics.k8s.io/v1beta1: the server is currently down",
            near_miss="v1beta1.metrics.k8s.io   kube-system/metrics-server   True        45d",
            unless=r"server APIs: v1: |azmk8s\.io",
            passes=True,
        ),
        Signature(
            pattern=r"[Mm]etrics not available for (?:pod|node)|\"Failed to scrape node\" err=\"request failed|metric-storage-ready|last tick wasn.t healthy|unable to fully scrape metrics|no metrics known for (?:pod|node)|(?:node|pod)(?:metrics|s)\.metrics\.k8s\.io \"[^\"]{1,200}\" not found|no metrics to serve",
            says="the metrics server has no figures of its nodes or pods",
            sample="error: Metrics not available for pod dev/cassandra-0, age: 14h2m3.1s",
            near_miss="I0525 10:58:50.681068 1 serving.go:374] Generated self-signed cert",
            weight=TYPICAL,
            unless=r"x509: certificate signed by unknown authority",
            passes=True,
        ),
    ),
    why="Some APIs are served by pods behind the API server (metrics-server, KEDA, custom metrics); when those pods are down or cannot be reached, autoscaling stops, and namespaces cannot be deleted.",
    remedy=(
        Step(
            "See which API is down and who serves it.",
            run=("kubectl", "get", "apiservices"),
            risk=Risk.READ,
        ),
        Step(
            "Bring its pods up, or delete the APIService if nobody serves it any more.",
            run=("kubectl", "delete", "apiservice", "<name>"),
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get apiservices shows True for all",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/extend-kubernetes/api-extension/apiserver-aggregation/",
    ),
    leads_to=(
        "kubernetes.caches_not_synced",
        "kubernetes.autoscaler_blind",
        "kubernetes.namespace_stuck",
    ),
    spreads=True,
)
