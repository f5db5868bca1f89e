"""A probe: what it may do, what it says, what its answers mean, and that nothing is left behind."""

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kube_server import (  # type: ignore[import-not-found]
    Api,
    Asked,
    Reply,
    Served,
    serving,
    status,
    until,
)

from sickbay.bundle.build import Builder
from sickbay.bundle.frame import Frame
from sickbay.cli.main import main
from sickbay.collect.kubeconfig import access
from sickbay.collect.kubernetes import About, Kubernetes
from sickbay.collect.probe import only_own
from sickbay.collect.probe_pod import PREFIX, Wish, manifest
from sickbay.collect.probe_read import take_network, take_node
from sickbay.collect.probe_script import network_script, node_script, sections
from sickbay.collect.probe_targets import End, Target, Targets
from sickbay.collect.source import read_all
from sickbay.model.evidence import Text
from sickbay.model.exposure import NatRules
from sickbay.progress import ignore

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
PODS = "/api/v1/namespaces/default/pods"
WEB = Target(
    End("Service", "shop/web", "10.0.9.9", 80),
    (End("Pod", "shop/web-1", "10.244.0.5", 8080), End("Pod", "shop/web-2", "10.244.1.6", 8080)),
)


class Ear:
    """Keeps what is said."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def add(self, text: Text) -> None:
        self.texts.append(text.text)

    def scan_blocks(self, blocks: Iterator[bytes], frame: Frame) -> None:  # noqa: ARG002
        self.texts += [block.decode() for block in blocks]


class Pods:
    """The pods of a cluster that runs what it is given, and says what it is told to."""

    def __init__(self, api: Api, says: str, phase: str = "Succeeded") -> None:
        self.made: list[dict[str, Any]] = []
        self.there: dict[str, dict[str, Any]] = {}
        self._says, self._phase = says, phase
        api.special.append(self)

    def __call__(self, asked: Asked) -> Reply | None:
        if not asked.path.startswith(PODS):
            return None
        name = asked.path.removeprefix(PODS).strip("/").removesuffix("/log")
        if asked.method == "POST":
            body = json.loads(asked.body)
            self.made.append(body)
            body["spec"].setdefault("nodeName", "n1")
            self.there[body["metadata"]["name"]] = {**body, "status": {"phase": self._phase}}
            return Reply(201, json.dumps(body).encode())
        if asked.method == "DELETE":
            assert asked.query["gracePeriodSeconds"] == "0"
            return Reply(200, b"{}") if self.there.pop(name, None) else status(404, "not found")
        if asked.path.endswith("/log"):
            return Reply(200, self._says.encode()) if self._says else status(400, "is waiting")
        if not name:
            return Reply(200, json.dumps({"items": list(self.there.values())}).encode())
        return Reply(200, json.dumps(self.there[name]).encode())


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(Api()) as made:
        yield made


def probed(served: Served, folder: Path, **wish: Any) -> tuple[Builder, Ear]:
    found = access(str(served.config(folder)))
    assert found is not None
    ear = Ear()
    builder = Builder(ear)
    read_all([Kubernetes(found, About("", 20, Wish(**wish)))], builder, ignore)
    return builder, ear


@pytest.mark.parametrize(
    ("method", "path", "is_allowed"),
    [
        ("POST", PODS, True),
        ("DELETE", f"{PODS}/{PREFIX}1", True),
        ("DELETE", f"{PODS}/web", False),
        ("DELETE", PODS, False),
        ("POST", "/api/v1/namespaces/shop/pods", False),
        ("POST", f"{PODS}/web/exec", False),
        ("PATCH", f"{PODS}/{PREFIX}1", False),
    ],
)
def test_a_probe_makes_and_removes_its_own_pods_and_nothing_else(
    method: str, path: str, is_allowed: bool
) -> None:
    assert only_own("default")(method, path) is is_allowed


def test_the_pod_is_short_lived_limited_and_nobody(served: Served, tmp_path: Path) -> None:
    pods = Pods(served.api, "nothing")
    probed(served, tmp_path)
    spec = pods.made[0]["spec"]
    assert spec["activeDeadlineSeconds"] <= 120
    assert spec["containers"][0]["resources"]["limits"] == {"cpu": "100m", "memory": "64Mi"}
    security = spec["containers"][0]["securityContext"]
    assert security["runAsNonRoot"] is True
    assert security["capabilities"] == {"drop": ["ALL"]}
    assert "hostNetwork" not in spec
    assert "volumes" not in spec


def test_a_look_at_the_node_is_a_second_pod_that_is_not_privileged() -> None:
    made = manifest("x", "true", Wish(node="n2", is_host=True))["spec"]
    assert (made["hostNetwork"], made["nodeName"]) == (True, "n2")
    assert "privileged" not in made["containers"][0]["securityContext"]
    assert made["containers"][0]["volumeMounts"][0]["readOnly"] is True


def test_nothing_is_left_behind(served: Served, tmp_path: Path) -> None:
    pods = Pods(served.api, "nothing")
    probed(served, tmp_path, is_host=True)
    assert (len(pods.made), pods.there) == (2, {})


def test_what_an_earlier_run_left_is_removed(served: Served, tmp_path: Path) -> None:
    pods = Pods(served.api, "nothing")
    for name, phase in (("old", "Failed"), ("busy", "Running")):
        left = {"metadata": {"name": PREFIX + name}, "status": {"phase": phase}}
        pods.there[PREFIX + name] = left
    probed(served, tmp_path)
    assert list(pods.there) == [f"{PREFIX}busy"]


def test_a_pod_that_cannot_be_made_is_a_gap(served: Served, tmp_path: Path) -> None:
    denied = status(403, 'pods is forbidden: User "sam" cannot create resource "pods"')
    served.api.special.append(
        lambda asked: denied if asked.method == "POST" and asked.path == PODS else None
    )
    builder, _ = probed(served, tmp_path)
    gaps = [gap for gap in builder.finish().gaps if gap.source == "probe"]
    assert "cannot create" in gaps[0].what
    assert gaps[0].asked_for


def test_a_pod_that_does_not_run_is_a_gap_with_its_reason(served: Served, tmp_path: Path) -> None:
    pods = Pods(served.api, "", phase="Failed")

    def waiting(asked: Asked) -> Reply | None:
        if (
            asked.method != "GET"
            or not asked.path.startswith(f"{PODS}/{PREFIX}")
            or asked.path.endswith("log")
        ):
            return None
        state = {"waiting": {"reason": "ErrImagePull", "message": "no route to registry"}}
        told = {"phase": "Failed", "containerStatuses": [{"state": state}]}
        return Reply(200, json.dumps({"spec": {"nodeName": "n1"}, "status": told}).encode())

    served.api.special.insert(0, waiting)
    builder, _ = probed(served, tmp_path)
    assert any("ErrImagePull: no route" in gap.what for gap in builder.finish().gaps)
    assert pods.there == {}


@pytest.mark.parametrize("stop", ["SIGINT", "SIGTERM"])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals for one process")
def test_whoever_stops_it_finds_no_pod_left(served: Served, tmp_path: Path, stop: str) -> None:
    import signal

    pods = Pods(served.api, "nothing", phase="Running")
    command = [sys.executable, "-m", "sickbay", "collect", "--probe", "--to", str(tmp_path / "b")]
    config = str(served.config(tmp_path))
    run = subprocess.Popen([*command, "--kubeconfig", config], stderr=subprocess.PIPE)
    until(lambda: bool(pods.there), 60)
    run.send_signal(getattr(signal, stop))
    _, said = run.communicate(timeout=30)
    assert run.returncode == 3
    assert pods.there == {}
    assert b"--probe starts a pod" in said
    assert b"Traceback" not in said


def answered(*rows: str) -> str:
    return "".join(f"=== sickbay {row}\n" for row in rows)


def said(text: str, target: Target = WEB) -> list[str]:
    ear = Ear()
    take_network(sections(text), [target], "n2", Builder(ear))
    return ear.texts


def test_a_cluster_that_answers_says_nothing() -> None:
    rows = ("tcp 10.0.9.9 80 0", "tcp 10.244.0.5 8080 0", "tcp 10.244.1.6 8080 0", "api - - 0")
    assert said(answered(*rows, "lookup kubernetes.default default 0")) == []


def test_a_service_that_is_silent_while_its_pod_answers_is_told() -> None:
    rows = ("tcp 10.0.9.9 80 1\nnc: timed out", "tcp 10.244.0.5 8080 0", "tcp 10.244.1.6 8080 0")
    assert said(answered(*rows)) == [
        "probe on node n2: service shop/web does not answer on 10.0.9.9:80: i/o timeout, "
        "though shop/web-1 behind it does on 10.244.0.5:8080"
    ]


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_service_with_a_silent_pod_may_have_sent_the_caller_there(is_whole: bool) -> None:
    second = "tcp 10.244.1.6 8080 1\nnc: timed out" if is_whole else "tcp 10.244.1.6 8080 0"
    rows = ("tcp 10.0.9.9 80 1\nnc: timed out", "tcp 10.244.0.5 8080 0", second)
    told = said(answered(*rows), WEB._replace(is_whole=is_whole))
    assert not any("service shop/web" in one for one in told)


def test_a_pod_that_refuses_and_one_that_is_silent_differ() -> None:
    refused = "nc: can't connect to remote host (10.244.0.5): Connection refused"
    rows = ("tcp 10.0.9.9 80 1", f"tcp 10.244.0.5 8080 1\n{refused}", "tcp 10.244.1.6 8080 1\nx")
    assert said(answered(*rows)) == [
        "probe on node n2: pod shop/web-1 refuses connections on 10.244.0.5:8080: "
        "connect: connection refused",
        "probe on node n2: pod shop/web-2 does not answer on 10.244.1.6:8080: i/o timeout",
    ]


def test_where_policies_are_silence_can_be_meant() -> None:
    rows = ("tcp 10.0.9.9 80 1", "tcp 10.244.0.5 8080 1", "tcp 10.244.1.6 8080 1")
    assert said(answered(*rows), WEB._replace(is_guarded=True)) == []


def test_a_lookup_that_fails_is_heard_as_it_was_printed() -> None:
    printed = ";; connection timed out; no servers could be reached"
    assert printed in said(answered(f"lookup kubernetes.default default 1\n{printed}"))[0]


def test_the_rules_of_a_node_become_what_rules_read() -> None:
    saved = (
        "*nat\n:KUBE-SERVICES - [0:0]\n"
        '-A KUBE-SERVICES -d 10.0.9.9/32 -p tcp -m comment --comment "shop/web" --dport 80 '
        "-j KUBE-SVC-A\n-A KUBE-SVC-A -j KUBE-SEP-A\n"
        "-A KUBE-SEP-A -p tcp -m tcp -j DNAT --to-destination 10.244.0.5:8080\nCOMMIT"
    )
    builder = Builder(Ear())
    take_node(sections(answered(f"node/iptables-save.txt - - 0\n{saved}")), "n2", 0, builder)
    rules = builder.finish().some(NatRules)
    assert [(one.node, [held.name for held in one.services]) for one in rules] == [
        ("n2", ["shop/web"])
    ]


@pytest.mark.parametrize(("clock", "count"), [(1000, 0), (1500, 1)])
def test_a_clock_that_is_far_off_is_told(clock: int, count: int) -> None:
    ear = Ear()
    take_node(sections(answered(f"time - - 0\n{clock}")), "n2", 1001, Builder(ear))
    assert len(ear.texts) == count


def service(name: str, namespace: str, address: str) -> dict[str, Any]:
    spec = {"clusterIP": address, "ports": [{"port": 80, "name": "http"}]}
    return {"metadata": {"name": name, "namespace": namespace}, "spec": spec}


def test_services_of_ill_namespaces_are_tried_before_others() -> None:
    targets = Targets()
    targets.note("Service", service("kubernetes", "default", "10.0.0.1"))
    targets.note("Service", service("headless", "shop", "None"))
    for namespace in ("a", "shop"):
        targets.note("Service", service("web", namespace, "10.0.0.9"))
    chosen = [one.service.name for one in targets.chosen({"shop"})]
    assert chosen == ["default/kubernetes", "shop/web", "a/web"]


def test_the_pods_behind_a_service_are_those_of_its_slices() -> None:
    targets = Targets()
    targets.note("Service", service("web", "shop", "10.0.0.9"))
    labels = {"kubernetes.io/service-name": "web"}
    ends = [
        {"addresses": ["10.244.0.5"], "targetRef": {"kind": "Pod", "name": "web-1"}},
        {"addresses": ["10.244.0.6"], "conditions": {"ready": False}},
    ]
    metadata = {"name": "web-x", "namespace": "shop", "labels": labels}
    body = {"metadata": metadata, "ports": [{"name": "http", "port": 8080}], "endpoints": ends}
    targets.note("EndpointSlice", body)
    assert targets.chosen({"shop"})[0].backends == (End("Pod", "shop/web-1", "10.244.0.5", 8080),)


def test_an_address_that_means_something_to_a_shell_is_left_out() -> None:
    evil = WEB._replace(service=End("Service", "shop/web", "1.1.1.1;reboot", 80))
    assert "reboot" not in network_script([evil], is_azure=False)


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no sh on this machine")
@pytest.mark.parametrize("make", [lambda: network_script([WEB], is_azure=True), node_script])
def test_the_script_runs_in_a_plain_shell(tmp_path: Path, make: Callable[[], str]) -> None:
    """With programs that stand for those of a small image."""
    for name, body in (
        ("nc", 'echo "nc: refused" >&2; exit 1'),
        ("nslookup", "exit 1"),
        ("wget", "exit 8"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "KUBERNETES_SERVICE_HOST": "x"}
    ran = subprocess.run(
        ["sh", "-c", make()], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    found = {(one.what, one.first): one for one in sections(ran.stdout)}
    if ("time", "-") in found:
        assert found["time", "-"].said.isdecimal()
    else:
        assert found["tcp", "10.0.9.9"].said == "nc: refused"
        assert found["lookup", "mcr.microsoft.com"].code == 1
        assert found["outside", "mcr.microsoft.com"].code == 1
        assert found["api", "-"].code == 8


def test_a_probe_that_is_described_must_be_asked_for(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(served.config(tmp_path))
    assert main(["diagnose", "--kubeconfig", config, "--probe-host"]) == 2
    assert "add --probe" in capsys.readouterr().err


def test_threads_end_with_the_run(served: Served, tmp_path: Path) -> None:
    Pods(served.api, "nothing")
    probed(served, tmp_path)
    ours = [one for one in threading.enumerate() if "_serve" in one.name]
    until(lambda: not any(one.is_alive() for one in ours))
