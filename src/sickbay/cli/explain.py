"""`sickbay explain`: any pasted text, an error, a describe, a log."""

import argparse

from sickbay.cli.options import add_common, add_rules, read_input, use_colour, write


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  sickbay explain error.txt\n  kubectl describe pod web-0 | sickbay explain\n"
        "  az aks create … 2>&1 | sickbay explain -o json"
    )
    parser.add_argument("file", nargs="?", default="-", help="a text file, or - for standard input")
    add_rules(parser)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    from sickbay.app import Settings, exit_code, explain, explain_stream
    from sickbay.report.render import render

    source, data, rest = read_input(args.file)
    settings = Settings(rules=tuple(args.rules))
    if rest is None:
        diagnosis = explain(data, source, settings)
    else:
        diagnosis = explain_stream(data, rest, source, settings)
    write(render(diagnosis, args.output, colour=use_colour(args)))
    return exit_code(diagnosis)
