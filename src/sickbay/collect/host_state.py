"""The state of the management machine: the Azure CLI, programs, sessions, and what is left over."""

import asyncio
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sickbay.collect.host_certificates import first_to_expire
from sickbay.collect.host_machine import NOT_FOUND, Machine
from sickbay.collect.host_proxies import shown
from sickbay.model.host import CachedLogin, CommandLine

# The CLI is a Python program that needs seconds to start on a busy machine.
_CLI_SECONDS: Final = 30.0
_SECONDS: Final = 10.0
_BITS: Final = r"\b(32|64)[ -]bit\b"
_LEFT_OVER: Final = (".wssd/python", ".wssd/kva")
_MOST_FILES: Final = 50
_MOST_BYTES: Final = 1_000_000


async def state_of(machine: Machine, now: datetime | None = None) -> dict[str, Any]:
    """The fields of a management machine that are no probes."""
    command_line, has_kubelogin, is_remote = await asyncio.gather(
        _command_line(machine), _has_kubelogin(machine), _is_remote(machine)
    )
    proxies = machine.proxies
    return {
        "system": machine.system,
        "command_line": command_line,
        "has_kubelogin": has_kubelogin,
        "wants_kubelogin": _wants_kubelogin(machine),
        "is_remote_session": is_remote,
        "cached_logins": _cached_logins(machine, now or datetime.now(UTC)),
        "proxy_variables": {
            name: value if name == "NO_PROXY" else shown(value) for name, value in proxies.items()
        },
    }


def _program(machine: Machine, name: str) -> str:
    """A program as the system finds it: on Windows az is a script with an ending."""
    return f"{name}.cmd" if machine.system == "windows" and name == "az" else name


async def _command_line(machine: Machine) -> CommandLine | None:
    az = _program(machine, "az")
    (code, told), (_, shown_version) = await asyncio.gather(
        machine.run((az, "version", "-o", "json"), _CLI_SECONDS),
        machine.run((az, "--version"), _CLI_SECONDS),
    )
    if code:
        return None
    try:
        known = json.loads(told[told.find("{") :])
    except ValueError:
        return None
    extensions = known.get("extensions")
    bits = re.search(_BITS, shown_version)
    return CommandLine(
        version=str(known.get("azure-cli", "")),
        bits=int(bits[1]) if bits else await _width(machine, shown_version),
        extensions={str(k): str(v) for k, v in extensions.items()}
        if isinstance(extensions, dict)
        else None,
    )


async def _width(machine: Machine, shown_version: str) -> int | None:
    """The width of the Python that runs the CLI, where its own words do not tell it."""
    place = re.search(r"(?m)^Python location '([^'\n]+)'", shown_version)
    if place is None:
        return None
    code, out = await machine.run(
        (place[1], "-c", "import struct; print(8 * struct.calcsize('P'))"), _SECONDS
    )
    return int(out) if code == 0 and out.strip() in ("32", "64") else None


async def _has_kubelogin(machine: Machine) -> bool:
    code, _ = await machine.run(("kubelogin", "--version"), _SECONDS)
    return code != NOT_FOUND


async def _is_remote(machine: Machine) -> bool | None:
    """Whether this runs inside a remote PowerShell session: one of its hosts is above us."""
    if machine.system != "windows":
        return False
    script = (
        '$id = $PID; while ($id) { $p = Get-CimInstance Win32_Process -Filter "ProcessId=$id"; '
        "if (-not $p) { break }; $p.Name; $id = $p.ParentProcessId }"
    )
    code, out = await machine.run(
        ("powershell", "-NoProfile", "-NonInteractive", "-Command", script), _SECONDS
    )
    return "wsmprovhost" in out.casefold() if code == 0 else None


def _wants_kubelogin(machine: Machine) -> bool | None:
    """Whether a kubeconfig signs in with kubelogin; nothing else of it is kept."""
    named = machine.environment.get("KUBECONFIG", "")
    separator = ";" if machine.system == "windows" else ":"
    paths = [path for path in named.split(separator) if path] or [f"{machine.home}/.kube/config"]
    texts = [text for path in paths if (text := _content(Path(path))) is not None]
    if not texts:
        return None
    return any(re.search(rb"(?m)^\s*command:\s*\S*kubelogin", text) for text in texts)


def _cached_logins(machine: Machine, now: datetime) -> list[CachedLogin]:
    """The folders of earlier deployments, and when what they hold expires."""
    found = []
    for name in _LEFT_OVER:
        folder = Path(machine.home, name)
        if not folder.is_dir():
            continue
        ends = [
            end
            for path in sorted(folder.rglob("*"))[:_MOST_FILES]
            if path.is_file()
            and (data := _content(path)) is not None
            and (end := first_to_expire(data)) is not None
        ]
        first = min(ends, default=None)
        found.append(
            CachedLogin(
                folder=name,
                expires=first.strftime("%Y-%m-%dT%H:%M:%SZ") if first else "",
                is_expired=bool(first and first < now),
            )
        )
    return found


def _content(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return None
