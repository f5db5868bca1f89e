"""`sickbay status`: the states of a target and of all that it stands on, as a tree."""

import argparse
from typing import TYPE_CHECKING

from sickbay.cli.azure import account_of, add_azure, azure_source
from sickbay.cli.kubernetes import add_context
from sickbay.cli.options import add_common, observer, use_colour, write
from sickbay.errors import SickbayError

if TYPE_CHECKING:
    from sickbay.collect.source import Source

_HINT = "name an id, or -g GROUP -n NAME, or --all; or saved evidence with --from PATH"
_FORMATS = ("text", "json", "yaml", "markdown")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "what is healthy is folded, what is not is named, with since when and its error;\n"
        "-v shows every thing. The exit code is 1 when a state is unhealthy, 3 when one\n"
        "is not known or could not be read, else 0.\n\n"
        "examples:\n  sickbay status\n  sickbay status -g my-group -n my-cluster\n"
        "  sickbay status /subscriptions/…/appliances/my-bridge -o json\n"
        "  sickbay status -g my-group --all\n"
        "  sickbay status --from support-folder/"
    )
    parser.add_argument(
        "--from",
        dest="path",
        metavar="PATH",
        help="a bundle, an archive, a folder or one file of saved outputs of az",
    )
    add_azure(parser)
    add_context(parser.add_argument_group("the cluster behind it, where no target is named"))
    add_common(parser, _FORMATS)


def run(args: argparse.Namespace) -> int:
    from sickbay.report.status import document, exit_code, render
    from sickbay.states import status_live, status_saved

    source = azure_source(args)
    if source and args.path:
        raise SickbayError("two sources of evidence", _HINT)
    if source is None and not args.path:
        source = _behind(args)
    if source:
        from sickbay.cli.moments import now

        scope = args.target or args.name or args.resource_group or args.context or "Azure"
        found = status_live([source], scope, now(), observer(args))
    else:
        found = status_saved(args.path, observer(args))
    data = document(found, _then(args))
    write(render(data, args.output, colour=use_colour(args), is_full=args.verbose))
    return exit_code(data)


def _behind(args: argparse.Namespace) -> "Source":
    """The managed cluster behind a context, found by the name of its API server."""
    from sickbay.collect.azure import Azure
    from sickbay.collect.kubeconfig import access
    from sickbay.collect.target import Wanted

    found = access(args.kubeconfig, args.context)
    if found is None:
        raise SickbayError("no target", _HINT)
    wanted = Wanted.by_server(found.cluster.server, is_optional=False)
    if wanted is None:
        raise SickbayError(f"{found.cluster.server} is no server that Azure knows", _HINT)
    return Azure(account_of(args), wanted._replace(subscription=args.subscription))


def _then(args: argparse.Namespace) -> str:
    """The command that finds out why, about the same."""
    from sickbay.report.shell import join

    words = ["sickbay", "diagnose"]
    if args.path:
        return join([*words, "--from", args.path])
    given = (
        ("-g", args.resource_group),
        ("-n", args.name),
        ("-s", args.subscription),
        ("--context", args.context),
        ("--kubeconfig", args.kubeconfig),
        ("--endpoint", args.endpoint),
        ("--ca-file", args.ca_file),
        ("--auth", args.auth),
        ("--cloud", "" if args.cloud == "public" else args.cloud),
    )
    words += [args.target] if args.target else []
    words += [word for flag, value in given if value for word in (flag, value)]
    return join([*words, "--all"] if args.all else words)
