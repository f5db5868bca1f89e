"""`sickbay diagnose`: the cause, proven, out of saved evidence."""

import argparse

from sickbay.cli.options import add_common, add_rules, observer, use_colour, write
from sickbay.errors import SickbayError


def configure(parser: argparse.ArgumentParser) -> None:
    from sickbay.rulekit.rule import Category

    parser.epilog = (
        "examples:\n  sickbay diagnose --from support-folder/\n"
        "  sickbay diagnose --from bundle.tar.gz -o html > report.html\n"
        "  sickbay diagnose --from aks-show.json --category upgrade"
    )
    parser.add_argument(
        "--from",
        dest="path",
        metavar="PATH",
        help="a bundle, an archive, a folder or one file of saved outputs (az, kubectl, logs)",
    )
    parser.add_argument(
        "--category",
        action="append",
        default=[],
        choices=[category.value for category in Category],
        help="only this kind of trouble",
    )
    add_rules(parser)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    from sickbay.app import Settings, diagnose_saved, exit_code
    from sickbay.report.render import render

    if not args.path:
        raise SickbayError(
            "no evidence to look at", "use --from PATH with a folder, an archive or a file"
        )
    watch = observer(args)
    settings = Settings(tuple(args.rules), tuple(args.category), watch)
    diagnosis = diagnose_saved(args.path, settings)
    write(render(diagnosis, args.output, colour=use_colour(args)))
    return exit_code(diagnosis)
