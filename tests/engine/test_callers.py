"""What is felt without being stood on: by who calls a service, and by who is named."""

from sickbay.engine.callers import (
    Callers,
    complains_itself,
    is_elsewhere,
    is_named_in,
    says_of_others,
)
from sickbay.engine.findings import Finding
from sickbay.model.entity import Metadata
from sickbay.model.evidence import Origin
from sickbay.model.finding import Evidence, Weight
from sickbay.model.ids import Ref, kube
from sickbay.model.service_parts import ServiceSpec
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service

REDIS = Service(
    metadata=Metadata(name="redis", namespace="cache"), spec=ServiceSpec(cluster_ip="10.0.60.6")
)
FRONT = kube("Pod", "front", "front-6d-abcde")
LOG = "logs/front-6d-abcde.log"


def finding(rule: str, subject: Ref, text: str = "", source: str = "file") -> Finding:
    evidence = (Evidence(Origin(source, "line 1"), text),)
    return Finding(rule, (subject,), rule, {}, Weight.TYPICAL, evidence)


BROKEN = finding("kubernetes.selector_matches_nothing", REDIS.ref)
CRASH = finding("kubernetes.program_fails", FRONT)


def are_called(*complaints: Finding, effect: Finding = CRASH) -> bool:
    return Callers(Snapshot([REDIS]), complaints).are_called(BROKEN, effect)


def refused(text: str, source: str = LOG) -> Finding:
    return finding("network.connection_refused", Ref("text", source), text, source)


def test_a_pod_beside_a_service_calls_it_when_it_complains_of_a_connection() -> None:
    beside = kube("Pod", "cache", "web-1")
    assert not are_called(effect=finding("x", beside, "panic: no settings"))
    assert are_called(effect=finding("x", beside, "cannot reach redis:6379"))
    assert are_called(refused("ECONNREFUSED", "logs/web-1.log"), effect=finding("x", beside))
    assert not are_called(refused("ECONNREFUSED", "logs/cart-1.log"), effect=finding("x", beside))


def test_a_pod_elsewhere_calls_a_service_when_its_log_names_it() -> None:
    assert not are_called()
    assert are_called(refused("connect ECONNREFUSED 10.0.60.6:6379"))
    assert are_called(refused("dial redis.cache.svc.cluster.local:6379: refused"))
    assert not are_called(refused("connect ECONNREFUSED 10.0.60.66:6379"))
    assert not are_called(refused("connect ECONNREFUSED 10.0.60.6:6379", "logs/other-1.log"))


def test_what_a_pod_says_of_others_is_not_for_its_own_end() -> None:
    assert says_of_others(CRASH, refused("connect ECONNREFUSED 10.0.60.6:6379"))
    assert not says_of_others(CRASH, refused("connect ECONNREFUSED", "logs/other-1.log"))
    assert not says_of_others(BROKEN, refused("connect ECONNREFUSED"))


def test_who_ended_says_in_the_same_paste_what_it_did_not_reach() -> None:
    ended, paste = finding("kubernetes.crash_loop", FRONT), Ref("text", "file")
    refused_itself = finding("network.connection_refused", FRONT)
    assert complains_itself(ended, refused_itself)
    assert not complains_itself(finding("kubernetes.crash_loop", REDIS.ref), refused_itself)
    assert not complains_itself(ended, finding("network.connection_refused", FRONT, source=LOG))
    assert not complains_itself(ended, finding("kubernetes.oom_killed", FRONT))
    assert not complains_itself(ended, finding("network.connection_refused", paste))
    nameless = finding("kubernetes.crash_loop", paste)
    assert complains_itself(nameless, finding("network.connection_refused", paste))


def test_a_text_that_names_a_thing_may_be_about_its_fault() -> None:
    lost = finding("kubernetes.kubelet_silent", kube("Pod", "front", "mysql-old"))
    assert is_named_in(lost, finding("x", FRONT, "Volume is already used by pod(s) mysql-old"))
    assert not is_named_in(lost, finding("x", FRONT, "already used by pod(s) mysql-older"))
    elsewhere = finding("kubernetes.kubelet_silent", kube("Pod", "db", "mysql-old"))
    assert not is_named_in(elsewhere, finding("x", FRONT, "already used by pod(s) mysql-old"))


def test_a_workload_of_another_namespace_is_not_what_a_caller_misses() -> None:
    missed = finding(
        "network.connection_times_out", Ref("host", "login.identity.svc.cluster.local")
    )
    assert is_elsewhere(CRASH, missed)
    assert not is_elsewhere(finding("kubernetes.pod_pending", kube("Pod", "identity", "a")), missed)
    assert not is_elsewhere(finding("kubernetes.x", kube("Pod", "kube-system", "a")), missed)
    assert not is_elsewhere(finding("network.pod_dns_settings", FRONT), missed)
    assert not is_elsewhere(CRASH, finding("network.x", Ref("host", "db.contoso.example")))
