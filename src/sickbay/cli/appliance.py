"""The options of commands that look at this machine and at an Arc appliance."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sickbay.collect.source import Source


def add_appliance(parser: argparse.ArgumentParser) -> None:
    """Add what names an appliance, and how it is logged in to."""
    appliance = parser.add_argument_group("an Arc resource bridge and this machine, only reading")
    appliance.add_argument(
        "--appliance", default="", metavar="CONFIG_DIR", help="the folder with its three YAML files"
    )
    appliance.add_argument(
        "--logkey", default="", metavar="FILE", help="default: ~/.KVA/.ssh/logkey"
    )
    appliance.add_argument("--ssh-user", default="clouduser", metavar="NAME", help="who logs in")
    appliance.add_argument(
        "--appliance-ip", default="", metavar="ADDRESS", help="of its VM, where the files differ"
    )
    appliance.add_argument(
        "--vcenter-user",
        default="",
        metavar="NAME",
        help="who asks vCenter; the password is taken from the files or SICKBAY_VCENTER_PASSWORD",
    )
    appliance.add_argument(
        "--host", action="store_true", help="look at this machine: names, proxies, URLs, az"
    )


def host_source(args: argparse.Namespace) -> "Source | None":
    """This machine, if it was asked for and no appliance is looked at from it."""
    if not args.host or args.appliance:
        return None
    from sickbay.collect.host import Asked, Host
    from sickbay.collect.host_machine import this_machine

    return Host(Asked(this_machine(), ca_file=args.ca_file))


def appliance_source(args: argparse.Namespace) -> "Source | None":
    """The appliance that the options name, if they name one."""
    if not args.appliance:
        return None
    from sickbay.collect.appliance import Appliance, Wanted
    from sickbay.collect.host_machine import this_machine

    return Appliance(
        Wanted(
            args.appliance,
            this_machine(),
            args.appliance_ip,
            args.ssh_user,
            args.logkey,
            args.ca_file,
            args.vcenter_user,
        )
    )
