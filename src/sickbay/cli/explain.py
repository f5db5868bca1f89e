"""`sickbay explain`: any pasted text, an error, a describe, a log."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Final

from sickbay.cli.options import (
    FORMATS,
    add_common,
    add_rules,
    observer,
    read_input,
    use_colour,
    write,
)

if TYPE_CHECKING:
    import argparse

# The process ends soon, and gives back in one stroke what Python would take apart.
_HELD: Final[dict[str, object]] = {}
_FLAGS: Final = {"-q": "quiet", "--quiet": "quiet", "--no-color": "no_color"}


def plain(words: list[str]) -> SimpleNamespace | None:
    """Read the plainest calls without argparse, whose import takes a tenth of the whole run.

    Anything else, and anything wrong, is left to it.
    """
    args = SimpleNamespace(
        file="-", rules=[], output="text", quiet=False, verbose=False, no_color=False
    )
    files: list[str] = []
    todo = list(words)
    while todo:
        word = todo.pop(0)
        if word in _FLAGS:
            setattr(args, _FLAGS[word], True)
        elif word in ("-o", "--output") and todo and todo[0] in FORMATS:
            args.output = todo.pop(0)
        elif word == "--rules" and todo and not todo[0].startswith("-"):
            args.rules.append(todo.pop(0))
        elif word == "-" or not word.startswith("-"):
            files.append(word)
        else:
            return None
    if len(files) > 1:
        return None
    args.file = files[0] if files else "-"
    return args


def configure(parser: "argparse.ArgumentParser") -> None:
    parser.epilog = (
        "examples:\n  sickbay explain error.txt\n  kubectl describe pod web-0 | sickbay explain\n"
        "  az aks create … 2>&1 | sickbay explain -o json"
    )
    parser.add_argument("file", nargs="?", default="-", help="a text file, or - for standard input")
    add_rules(parser)
    add_common(parser)


def run(args: "argparse.Namespace | SimpleNamespace") -> int:
    from sickbay.app import Settings, exit_code, explain_stream, explain_with, rules_for
    from sickbay.report.render import render

    source, data, rest = read_input(args.file)
    settings = Settings(rules=tuple(args.rules), observer=observer(args))
    if rest is None:
        _HELD["rules"] = rules = rules_for(settings)
        diagnosis = explain_with(rules, data, source, settings)
    else:
        diagnosis = explain_stream(data, rest, source, settings)
    write(render(diagnosis, args.output, colour=use_colour(args)))
    return exit_code(diagnosis)
