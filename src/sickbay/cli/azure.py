"""The options of commands that ask Azure itself."""

import argparse
from typing import TYPE_CHECKING

from sickbay.errors import SickbayError

if TYPE_CHECKING:
    from sickbay.collect.run import Account
    from sickbay.collect.target import Wanted


def add_azure(parser: argparse.ArgumentParser) -> None:
    """Add what names a target in Azure, and who asks."""
    parser.add_argument("target", nargs="?", default="", metavar="ID", help="an ARM id, live")
    azure = parser.add_argument_group("Azure, live and only reading")
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


def is_live(args: argparse.Namespace) -> bool:
    """Whether a target in Azure was named."""
    return bool(args.target or args.resource_group or args.name or args.all)


def asked_of(args: argparse.Namespace) -> "tuple[Account, Wanted]":
    """What was asked, and of whom."""
    from sickbay.collect.clouds import cloud_of
    from sickbay.collect.run import Account
    from sickbay.collect.target import Wanted

    if not args.timeout.isdecimal() or not 0 < int(args.timeout) < 10_000:  # noqa: PLR2004
        raise SickbayError(f"{args.timeout} is no number of seconds", "use --timeout 120")
    cloud = cloud_of(args.cloud, args.endpoint)
    account = Account(cloud, args.auth, args.ca_file, float(args.timeout))
    wanted = Wanted(args.target, args.subscription, args.resource_group, args.name, is_all=args.all)
    return account, wanted
