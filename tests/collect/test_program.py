"""The program as a user runs it against a server of this machine: it reads, and can be stopped."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import web
from arm_server import Server, running  # type: ignore[import-not-found]
from test_walk import CLUSTER, NODES, estate  # type: ignore[import-not-found]

from sickbay.app import Settings, diagnose_saved

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

SECRET = "secret-token-of-the-cli"  # noqa: S105 - looked for where it must not be
# What `az account get-access-token` prints.
CLI = f"""#!{sys.executable}
import json, time
print(json.dumps({{"accessToken": "{SECRET}", "expires_on": int(time.time()) + 3600,
    "expiresOn": "2099-01-01 00:00:00.000000", "subscription": "s", "tenant": "t",
    "tokenType": "Bearer"}}))
"""
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


@pytest.fixture
def server() -> Iterator[Server]:
    with running(Server(*estate())) as made:
        yield made


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with an `az` that has a token."""
    folder = tmp_path / "bin"
    folder.mkdir()
    az = folder / "az"
    az.write_text(CLI)
    az.chmod(0o755)
    return folder


def command(server: Server, *words: str) -> list[str]:
    target = ["--endpoint", server.endpoint, "--auth", "cli", "--timeout", "60"]
    return [sys.executable, "-m", "sickbay", *words, *target]


def environment(tools: Path) -> dict[str, str]:
    return {**os.environ, "PATH": f"{tools}:/bin:/usr/bin", "NO_COLOR": "1"}


def test_a_live_diagnosis_reads_and_writes_nothing(server: Server, tools: Path) -> None:
    argv = command(server, "diagnose", CLUSTER, "-o", "json", "-v")
    done = subprocess.run(argv, capture_output=True, check=False, env=environment(tools))
    assert done.returncode in (0, 1, 3), done.stderr.decode()
    assert json.loads(done.stdout)["target"]["id"] == CLUSTER
    assert server.writes == []
    assert SECRET.encode() not in done.stdout + done.stderr


def test_without_a_credential_the_user_is_told_what_helps(server: Server, tmp_path: Path) -> None:
    argv = command(server, "diagnose", CLUSTER)
    done = subprocess.run(argv, capture_output=True, check=False, env=environment(tmp_path / "no"))
    assert done.returncode == 2
    assert done.stderr.decode().strip().splitlines()[-1].endswith("az login")
    assert server.asked == []


def test_a_dry_run_asks_nobody(server: Server, tmp_path: Path) -> None:
    argv = command(server, "collect", CLUSTER, "--dry-run", "-o", "json")
    done = subprocess.run(argv, capture_output=True, check=False, env=environment(tmp_path))
    assert done.returncode == 0
    looks = json.loads(done.stdout)["looks"]
    assert {"source", "what", "where", "needs"} <= looks[0].keys()
    assert server.asked == []


@pytest.fixture
def is_heard() -> Iterator[None]:
    """Whoever runs tests in the background of a shell ignores SIGINT, and so would a child."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@needs_signals
@pytest.mark.usefixtures("is_heard")
def test_whoever_stops_a_collection_keeps_what_was_read(
    server: Server, tools: Path, tmp_path: Path
) -> None:
    is_reached, may_go_on = threading.Event(), threading.Event()

    async def stalls(request: web.Request) -> web.Response:  # noqa: ARG001
        is_reached.set()
        await asyncio.get_running_loop().run_in_executor(None, may_go_on.wait, 30)
        return web.json_response({"value": []})

    scale_sets = f"{NODES}/providers/Microsoft.Compute/virtualMachineScaleSets"
    server.special[scale_sets.casefold()] = stalls
    bundle = tmp_path / "case.sickbay"
    argv = command(server, "collect", CLUSTER, "--to", str(bundle))
    with subprocess.Popen(
        argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tools)
    ) as process:
        assert is_reached.wait(60)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        may_go_on.set()
    assert process.returncode == 3, errors.decode()
    assert b"Traceback" not in errors
    found = diagnose_saved(str(bundle), Settings())
    assert found.target.id == CLUSTER
    assert any("stopped before everything was read" in gap.what for gap in found.gaps)
