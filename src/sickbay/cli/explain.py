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
    from sickbay.app import Settings, exit_code, explain
    from sickbay.report.render import render

    data, source = read_input(args.file)
    diagnosis = explain(data, source, Settings(rules=tuple(args.rules)))
    write(render(diagnosis, args.output, colour=use_colour(args)))
    return exit_code(diagnosis)
