"""What there is of a machine beside its network: its system, variables, files and programs."""

import asyncio
import os
import platform
import urllib.request
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from sickbay.collect.host_proxies import variables_of
from sickbay.record import NamedTuple

NOT_FOUND: Final = 127
_TIMED_OUT: Final = 124
_MOST_OUTPUT: Final = 1_000_000

Run = Callable[[Sequence[str], float], Awaitable[tuple[int, str]]]


class Machine(NamedTuple):
    """A machine that is looked at; tests pass one of their own."""

    system: str
    environment: Mapping[str, str]
    home: str
    run: Run

    @property
    def proxies(self) -> dict[str, str]:
        """The variables that name a proxy, or what the system's settings say instead."""
        found = variables_of(self.environment)
        if not found and self.system in ("windows", "darwin"):
            kept = urllib.request.getproxies()
            found = variables_of({f"{kind}_proxy": url for kind, url in kept.items()})
        return found


def this_machine() -> Machine:
    return Machine(
        platform.system().casefold(),
        os.environ,
        str(Path.home()),
        run_program,
    )


async def run_program(command: Sequence[str], seconds: float) -> tuple[int, str]:
    """The exit code of a program and all that it printed; what takes too long is ended."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except OSError:
        return NOT_FOUND, ""
    try:
        async with asyncio.timeout(seconds):
            out, _ = await process.communicate()
    except TimeoutError:
        return _TIMED_OUT, ""
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, out[:_MOST_OUTPUT].decode("utf-8", "replace")
