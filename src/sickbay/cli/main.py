"""Chooses the command, and gives every failure its exit code.

The only place where our own defects are caught.
"""

import gc
import os
import sys

from sickbay import __version__

# `typing` and the like are not imported here: `--version` must cost hardly more than Python itself.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "explain": "any pasted text: what is wrong, why, what to do",
    "diagnose": "find the cause, live or in saved evidence, and prove it",
    "status": "the states of a target and of all that it stands on, as a tree",
    "activity": "the activity log decoded: what was done, by whom, and how it ended",
    "reach": "would this traffic pass, and which rule decides",
    "collect": "live or saved evidence into one redacted bundle",
    "rules": "the catalogue: list, show, new, test, schema",
    "lab": "a simulated Azure on this machine, to learn and test on",
    "demo": "one minute from install to a first diagnosis",
}


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run the program and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] in (["--version"], ["-V"]):
        print(f"sickbay {__version__}")
        return 0
    try:
        return _run(words)
    except BrokenPipeError:
        # The reader has gone (`| head`): not an error of ours, and stdout must not complain at
        # exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("sickbay: stopped", file=sys.stderr)
        return 130
    except Exception as error:
        return _failed(error, words)


def entry() -> None:
    """Run the program and leave at once: all is written, and tearing down takes Python a while."""
    # A run ends soon, and what it reads has no cycles: looking for them would cost it time.
    gc.disable()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
    os._exit(code)


def _run(words: list[str]) -> int:
    if words[:1] == ["explain"]:
        from sickbay.cli.explain import plain
        from sickbay.cli.explain import run as explain

        args = plain(words[1:])
        if args is not None:
            return int(explain(args))
    return _parsed(words)


def _parsed(words: list[str]) -> int:
    import argparse
    from typing import NoReturn

    from sickbay.errors import SickbayError

    def helper(prog: str) -> argparse.HelpFormatter:
        # With a width of our own, argparse does not import what measures the terminal.
        width = int(os.environ.get("COLUMNS") or 80) - 2
        return argparse.RawDescriptionHelpFormatter(prog, width=width)

    command = next((word for word in words if word in COMMANDS), "")

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            raise SickbayError(message, f"see sickbay{command and ' '}{command} --help")

    parser = Parser(
        prog="sickbay",
        description="Finds out why an Azure Kubernetes estate is ill, proves it, and treats it.",
        epilog="examples:\n  kubectl describe pod web-0 | sickbay explain\n"
        "  sickbay diagnose --from support-folder/\n  sickbay demo",
        formatter_class=helper,
    )
    parser.add_argument("--version", action="version", version=f"sickbay {__version__}")
    parsers = parser.add_subparsers(
        dest="command",
        metavar="COMMAND",
        required=True,
        # Told, because working it out imports what only help needs.
        prog="sickbay",
    )
    run = None
    # Only the command in hand gets its parser; without one, all do, for the list of commands.
    for name, summary in COMMANDS.items():
        if command not in ("", name):
            continue
        sub = parsers.add_parser(
            name,
            help=summary,
            description=summary,
            formatter_class=helper,
        )
        if name == command:
            module = _module(name)
            module.configure(sub)
            run = module.run
    args = parser.parse_args(words)
    if run is None:
        parser.error("name a command")
    return int(run(args))


def _module(name: str):  # type: ignore[no-untyped-def]
    from importlib import import_module

    return import_module(f"sickbay.cli.{name}")


def _failed(error: Exception, words: list[str]) -> int:
    from sickbay.errors import Exit, SickbayError

    if isinstance(error, SickbayError):
        print(f"sickbay: {error}", file=sys.stderr)
        return Exit.USER_MUST_ACT
    if "--verbose" in words or "-v" in words:
        import traceback

        traceback.print_exc()
    print(
        f"sickbay: a defect of ours: {type(error).__name__}: {error}; "
        "run again with --verbose and report it",
        file=sys.stderr,
    )
    return Exit.DEFECT
