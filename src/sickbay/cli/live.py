"""What commands that read the world have in common: their options, and the sources these name."""

import argparse
from typing import TYPE_CHECKING

from sickbay.cli.appliance import add_appliance, appliance_source, host_source
from sickbay.cli.azure import add_azure, azure_source
from sickbay.cli.kubernetes import add_kubernetes, kubernetes_sources
from sickbay.errors import SickbayError

if TYPE_CHECKING:
    from sickbay.collect.source import Source


def add_live(parser: argparse.ArgumentParser) -> None:
    """Add what names a part of the world, and who asks."""
    add_azure(parser)
    add_kubernetes(parser)
    add_appliance(parser)


def sources_of(args: argparse.Namespace) -> "list[Source]":
    """The sources that the options name."""
    named = (azure_source(args), host_source(args), appliance_source(args))
    found = [source for source in named if source is not None]
    # Whoever names nothing means the cluster that kubectl would ask.
    is_alone = not args.path and not found
    return [*found, *kubernetes_sources(args, is_alone=is_alone)]


def scope_of(args: argparse.Namespace) -> str:
    """What a run is about, in a word."""
    azure = (args.target, args.name, args.resource_group, args.appliance, args.subscription)
    words = (*azure, "Azure" if args.all else "", args.context)
    return next((word for word in words if word), "current context")


def one_kind_of_evidence(args: argparse.Namespace, sources: "list[Source]") -> None:
    """Hold that a run is either over saved evidence or live."""
    if bool(args.path) == bool(sources):
        raise SickbayError(
            "two sources of evidence" if args.path else "no evidence to look at",
            "name a context of a kubeconfig, a target in Azure (an id, or -g and -n), "
            "or saved evidence with --from PATH",
        )
