"""A machine that answers what a test wants."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sickbay.collect.host_machine import NOT_FOUND, Machine

Programs = Mapping[str, tuple[int, str]]


def machine(
    home: Path,
    system: str = "linux",
    programs: Programs | None = None,
    **environment: str,
) -> Machine:
    """A machine on which some programs print something; others are not installed."""
    known = programs or {}

    async def run(command: Sequence[str], seconds: float) -> tuple[int, str]:  # noqa: ARG001
        line = " ".join(command)
        told = (told for begin, told in known.items() if line.startswith(begin))
        return next(told, (NOT_FOUND, ""))

    return Machine(system, environment, str(home), run)
