"""The options of commands that ask Azure itself."""

import argparse
from typing import TYPE_CHECKING

from sickbay.errors import SickbayError

if TYPE_CHECKING:
    from sickbay.collect.azure import Account
    from sickbay.collect.source import Source
    from sickbay.collect.target import Wanted


def add_azure(parser: argparse.ArgumentParser) -> None:
    """Add what names a target in Azure, and who asks."""
    # Absent, it must not take back what --id says.
    parser.add_argument(
        "target", nargs="?", default=argparse.SUPPRESS, metavar="ID", help="an ARM id, live"
    )
    add_named(parser)


def add_named(parser: argparse.ArgumentParser) -> None:
    """Add what names a target in Azure by options alone, and who asks."""
    azure = parser.add_argument_group("Azure, live and only reading")
    azure.add_argument("--id", dest="target", default="", metavar="ID", help="an ARM id")
    azure.add_argument("-g", "--resource-group", default="", metavar="GROUP")
    azure.add_argument("-n", "--name", default="", metavar="NAME")
    azure.add_argument(
        "-s", "--subscription", default="", metavar="ID", help="default: the one that az uses"
    )
    azure.add_argument(
        "--all", action="store_true", help="every cluster and appliance of the group, or of all"
    )
    azure.add_argument(
        "--auth",
        default="",
        choices=("cli", "environment", "workload", "managed"),
        help="who asks; without it all are tried in this order",
    )
    azure.add_argument(
        "--cloud", default="public", choices=("public", "china", "usgovernment"), help="which Azure"
    )
    azure.add_argument("--endpoint", default="", metavar="URL", help="another Azure of your own")
    azure.add_argument("--ca-file", default="", metavar="FILE", help="whom to trust there")
    azure.add_argument(
        "--timeout", default="120", metavar="SECONDS", help="the longest that it may look"
    )


def azure_source(args: argparse.Namespace) -> "Source | None":
    """The source that the options name, if they name one."""
    if not (args.target or args.resource_group or args.name or args.all):
        return None
    from sickbay.collect.azure import Azure
    from sickbay.collect.target import Wanted

    account = account_of(args)
    wanted = Wanted(args.target, args.subscription, args.resource_group, args.name, is_all=args.all)
    return Azure(account, wanted)


def account_of(args: argparse.Namespace) -> "Account":
    """Where Azure is, and who asks."""
    from sickbay.collect.azure import Account
    from sickbay.collect.clouds import cloud_of

    return Account(cloud_of(args.cloud, args.endpoint), args.auth, args.ca_file, seconds_of(args))


def azure_behind(args: argparse.Namespace, server: str) -> "Source | None":
    """What Azure knows of the managed cluster with this API server, if it is one of AKS."""
    from sickbay.collect.azure import Azure

    wanted = _behind(args, server)
    return Azure(account_of(args), wanted) if wanted else None


def command_behind(args: argparse.Namespace, server: str) -> "Source | None":
    """A look into that cluster which Azure takes for us, where a probe is allowed."""
    from sickbay.collect.run_command import RunCommand

    wanted = _behind(args, server) if args.probe else None
    return RunCommand(account_of(args), wanted) if wanted else None


def _behind(args: argparse.Namespace, server: str) -> "Wanted | None":
    if ".azmk8s." not in server.casefold():
        return None
    from sickbay.collect.target import Wanted

    wanted = Wanted.by_server(server)
    return wanted._replace(subscription=args.subscription) if wanted else None


def seconds_of(args: argparse.Namespace) -> float:
    """The longest that a look may take."""
    if not args.timeout.isdecimal() or not 0 < int(args.timeout) < 10_000:  # noqa: PLR2004
        raise SickbayError(f"{args.timeout} is no number of seconds", "use --timeout 120")
    return float(args.timeout)
