"""A run against a real API server that is stopped, killed or refuses in the middle."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cluster import control_plane
from tests.cluster.asking import diagnosed_folder
from tests.cluster.processes import pid_of, wait_for
from tests.cluster.running import Cluster
from tests.cluster.share import Share, share_of
from tests.cluster.wire import Wire, wire_to

pytestmark = pytest.mark.enable_socket

PROBE = "app.kubernetes.io/name=sickbay-probe"
# The server keeps a good answer about a token for so long.
TOKEN_CACHE = 12


@pytest.fixture
def wire(quiet_cluster: Cluster) -> Iterator[Wire]:
    with wire_to(quiet_cluster.layout.server) as made:
        yield made


def started(kubeconfig: Path, *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "sickbay", *arguments, "--kubeconfig", str(kubeconfig)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*command, "-o", "json", "--quiet"], **pipes)  # type: ignore[call-overload, no-any-return]


def collected(kubeconfig: Path, bundle: Path) -> dict[str, Any]:
    run = started(kubeconfig, "collect", "--to", str(bundle))
    out, err = run.communicate(timeout=300)
    assert run.returncode in {0, 3}, err
    return {"code": run.returncode, **json.loads(out)}


def gaps_of(bundle: Path) -> str:
    """What the bundle itself says that it lacks: it must be whole enough to be read."""
    told = diagnosed_folder(bundle).diagnosis
    assert told["looked"]["entities"] > 0
    return json.dumps(told["gaps"])


@pytest.fixture(scope="module")
def size(quiet_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many bytes a whole run takes, so that its middle is known."""
    folder = tmp_path_factory.mktemp("whole")
    with wire_to(quiet_cluster.layout.server) as wire:
        config = wire.kubeconfig(quiet_cluster.kubeconfig, folder / "config")
        assert collected(config, folder / "whole.sickbay")["gaps"] == []
        return wire.received


def test_whoever_presses_ctrl_c_keeps_what_was_read(
    quiet_cluster: Cluster, wire: Wire, size: int, tmp_path: Path
) -> None:
    is_half, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        is_half.set()
        go_on.wait(60)

    wire.at(size // 2, hold)
    bundle = tmp_path / "half.sickbay"
    config = wire.kubeconfig(quiet_cluster.kubeconfig, tmp_path / "config")
    run = started(config, "collect", "--to", str(bundle))
    assert is_half.wait(120)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=60)
    go_on.set()
    assert run.returncode == 3
    assert "stopped" in gaps_of(bundle)


def test_a_server_that_is_killed_leaves_a_gap_for_each_list(
    quiet_cluster: Cluster, wire: Wire, size: int, tmp_path: Path
) -> None:
    layout = quiet_cluster.layout

    def kill() -> None:
        os.kill(pid_of(layout, "kube-apiserver"), signal.SIGKILL)
        wire.cut()

    wire.at(size // 4, kill)
    config = wire.kubeconfig(quiet_cluster.kubeconfig, tmp_path / "config")
    try:
        told = collected(config, tmp_path / "killed.sickbay")
    finally:
        control_plane.start_server(layout, quiet_cluster.built)
    assert told["code"] == 3
    assert told["gaps"]
    gaps_of(tmp_path / "killed.sickbay")


def test_a_token_that_ends_in_the_middle_is_named(
    quiet_cluster: Cluster, wire: Wire, size: int, tmp_path: Path
) -> None:
    quiet_cluster.kubectl("create", "serviceaccount", "reader", "-n", "default")
    bind = ("create", "clusterrolebinding", "reader", "--clusterrole=cluster-admin")
    quiet_cluster.kubectl(*bind, "--serviceaccount=default:reader")
    whose = quiet_cluster.kubeconfig_of("reader", "default")

    def end() -> None:
        quiet_cluster.kubectl("delete", "serviceaccount", "reader", "-n", "default")
        time.sleep(TOKEN_CACHE)

    wire.at(size // 5, end)
    told = collected(wire.kubeconfig(whose, tmp_path / "config"), tmp_path / "late.sickbay")
    assert told["code"] == 3
    assert any("401" in json.dumps(gap) or "nauthorized" in json.dumps(gap) for gap in told["gaps"])
    gaps_of(tmp_path / "late.sickbay")


@pytest.fixture
def share(quiet_cluster: Cluster) -> Iterator[Share]:
    """The share of one reader in the time of the server, which is no more than one question."""
    with share_of(quiet_cluster, "modest") as made:
        yield made


def test_a_reader_whose_share_is_taken_is_told_what_was_not_read(
    share: Share, tmp_path: Path
) -> None:
    with share.taken():
        told = collected(share.kubeconfig, tmp_path / "busy.sickbay")
    assert told["code"] == 3
    assert all("Too many requests" in gap["what"] for gap in told["gaps"])
    said = json.dumps(told["gaps"])
    assert all(word in said for word in ("pods", "nodes", "events", "deployments.apps"))


def test_a_reader_with_a_small_share_reads_all_one_by_one(share: Share, tmp_path: Path) -> None:
    # The server is busy with something else of this reader for a while, and tells him to wait.
    with share.taken(seconds=3):
        told = collected(share.kubeconfig, tmp_path / "slow.sickbay")
    assert (told["code"], told["gaps"]) == (0, [])


def test_a_probe_that_is_stopped_leaves_nothing_behind(quiet_cluster: Cluster) -> None:
    run = started(
        quiet_cluster.kubeconfig, "diagnose", "--probe", "--probe-image", "localhost/busybox:1"
    )
    wait_for("the pod of the probe", lambda: bool(_probes(quiet_cluster)))
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=120)
    wait_for("the pod of the probe to be gone", lambda: not _probes(quiet_cluster))


def _probes(cluster: Cluster) -> list[Any]:
    found: list[Any] = cluster.get("pods", "-A", "-l", PROBE)["items"]
    return found
