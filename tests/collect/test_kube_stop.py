"""A run that is stopped, or that meets a server which stalls: what was read is kept, and said."""

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from kube_server import Api, Asked, Reply, pod, serving, until  # type: ignore[import-not-found]
from test_kube_live import seen  # type: ignore[import-not-found]

from sickbay.app import Settings, diagnose_saved
from sickbay.model.kubernetes import Pod

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def stalling(at: str, release: threading.Event) -> Api:
    """A cluster with a pod, in which one list never comes to its end."""
    api = Api()
    api.add("pods", pod("a"))

    def stall(asked: Asked) -> Reply | None:
        if asked.path == at:
            release.wait(60)
        return None

    api.special.append(stall)
    return api


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_whoever_presses_ctrl_c_keeps_what_was_read(tmp_path: Path) -> None:
    release = threading.Event()
    api = stalling("/api/v1/services", release)
    with serving(api) as served:
        bundle = tmp_path / "case.sickbay"
        command = [sys.executable, "-m", "sickbay", "collect", "--to", str(bundle), "-o", "json"]
        config = str(served.config(tmp_path))
        run = subprocess.Popen([*command, "--kubeconfig", config], stdout=subprocess.PIPE)
        until(lambda: any(one.path == "/api/v1/services" for one in api.asked), 60)
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=30)
        release.set()
    assert run.returncode == 3
    assert "stopped" in json.loads(out)["gaps"][-1]["what"]
    saved = diagnose_saved(str(bundle), Settings())
    assert saved.looked.entities >= 1
    assert any("stopped" in gap.what for gap in saved.gaps)


def test_a_list_that_stalls_does_not_hide_the_others(tmp_path: Path) -> None:
    release = threading.Event()
    with serving(stalling("/api/v1/services", release)) as served:
        found = seen(served, tmp_path, seconds=2)
        release.set()
    assert found.some(Pod)
    assert found.has_seen("Deployment")
    assert not found.has_seen("Service")
    assert any("services" in gap.what for gap in found.gaps)
