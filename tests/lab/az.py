"""The real Azure CLI, in an environment of its own outside the checkout, pointed at the lab."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.once import alone, cache

from sickbay.lab.server import Lab

VERSION = "2.91.0"
AT_ONCE = 2
# What `python -m azure.cli` does, for one command after the other.
SEVERAL = """
import io, json, sys
from azure.cli.core import get_default_cli
for line in sys.stdin.read().splitlines():
    text = io.StringIO()
    try:
        code = get_default_cli().invoke(json.loads(line), out_file=text)
    except SystemExit as end:
        code = end.code
    print(json.dumps({"code": code or 0, "text": text.getvalue()}), flush=True)
"""


def installed() -> Path:
    """Its Python; it is installed once, and kept for the next run."""
    folder = cache() / f"az-{VERSION}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    with alone(folder.name):
        if not (folder / "ready").exists():
            _install(folder, python)
    return python


def _install(folder: Path, python: Path) -> None:
    uv = shutil.which("uv")
    if os.environ.get("SICKBAY_TEST_ALL") != "1":
        pytest.skip("the Azure CLI (730 MB) is installed only with SICKBAY_TEST_ALL=1")
    shutil.rmtree(folder, ignore_errors=True)
    made = [uv, "venv", "-q", str(folder)] if uv else [sys.executable, "-m", "venv", str(folder)]
    pip = [uv, "pip", "install", "-q", "--python", str(python)] if uv else None
    pip = pip or [str(python), "-m", "pip", "install", "-q"]
    # The first needs an exact Python; the CLI itself does not care.
    for command in (made, [*pip, f"azure-cli=={VERSION}"]):
        subprocess.run([str(word) for word in command], check=True, timeout=1200)
    (folder / "ready").touch()


class Cli:
    """The CLI, signed in to a lab."""

    def __init__(self, lab: Lab, home: Path) -> None:
        self._python = installed()
        self._env = {
            **os.environ,
            "AZURE_CONFIG_DIR": str(home),
            "REQUESTS_CA_BUNDLE": lab.ca_file,
            "AZURE_CORE_COLLECT_TELEMETRY": "no",
            "AZURE_CORE_NO_COLOR": "yes",
        }
        at, place = lab.endpoint, lab.estate.place
        plain = ("resource-manager", "active-directory", "management")
        slashed = ("active-directory-resource-id", "active-directory-graph-resource-id")
        words = [word for name in plain for word in (f"--endpoint-{name}", at)]
        for name in (*slashed, "microsoft-graph-resource-id"):
            words += [f"--endpoint-{name}", f"{at}/"]
        self.done("cloud", "register", "-n", "lab", "--skip-endpoint-discovery", *words)
        self.done("cloud", "set", "-n", "lab")
        self.done("config", "set", "core.instance_discovery=false")
        who = ("-u", place.subscription, "-p", "lab", "--tenant", place.tenant)
        self.done("login", "--service-principal", *who)

    def run(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        command = [str(self._python), "-m", "azure.cli", *words]
        return subprocess.run(command, capture_output=True, check=False, env=self._env, timeout=240)

    def done(self, *words: str) -> bytes:
        """What a command prints; a failure shows what it said."""
        ended = self.run(*words)
        assert ended.returncode == 0, (words, ended.stderr.decode()[-2000:])
        return ended.stdout

    def each(self, commands: list[tuple[str, ...]]) -> list[bytes]:
        """What some commands print, shared out over a few processes."""
        shares = [commands[at::AT_ONCE] for at in range(AT_ONCE)]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            answers = list(pool.map(self._share, shares))
        return [answers[at % AT_ONCE][at // AT_ONCE] for at in range(len(commands))]

    def _share(self, commands: list[tuple[str, ...]]) -> list[bytes]:
        """Several commands in one process: it takes `az` longer to start than to ask."""
        asked = "\n".join(json.dumps([*words, "-o", "json"]) for words in commands)
        command = [str(self._python), "-c", SEVERAL]
        ended = subprocess.run(
            command,
            input=asked.encode(),
            capture_output=True,
            check=False,
            env=self._env,
            timeout=1200,
        )
        found = [json.loads(line) for line in ended.stdout.decode().splitlines()]
        assert len(found) == len(commands), ended.stderr.decode()[-2000:]
        for words, one in zip(commands, found, strict=True):
            assert one["code"] == 0, (words, ended.stderr.decode()[-2000:])
        return [str(one["text"]).encode() for one in found]
