"""`sickbay diagnose`: the cause, proven, out of Azure or of saved evidence."""

import argparse

from sickbay.cli.live import add_live, one_kind_of_evidence, scope_of, sources_of
from sickbay.cli.options import add_common, add_rules, observer, use_colour, write


def configure(parser: argparse.ArgumentParser) -> None:
    from sickbay.rulekit.rule import Category

    parser.epilog = (
        "examples:\n  sickbay diagnose -g my-group -n my-cluster\n"
        "  sickbay diagnose --from support-folder/\n"
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
    add_live(parser)
    add_rules(parser)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    from sickbay.app import Settings, diagnose_saved, exit_code
    from sickbay.report.render import render

    sources = sources_of(args)
    one_kind_of_evidence(args, sources)
    settings = Settings(tuple(args.rules), tuple(args.category), observer(args))
    if args.path:
        diagnosis = diagnose_saved(args.path, settings)
    else:
        from sickbay.live import diagnose_live

        diagnosis = diagnose_live(sources, scope_of(args), settings)
    write(render(diagnosis, args.output, colour=use_colour(args)))
    return exit_code(diagnosis)
