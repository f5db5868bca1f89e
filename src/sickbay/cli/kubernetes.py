"""The options of commands that ask a Kubernetes cluster itself."""

import argparse
import sys
from typing import TYPE_CHECKING

from sickbay.errors import SickbayError

if TYPE_CHECKING:
    from sickbay.collect.kubeconfig import Access
    from sickbay.collect.probe_pod import Wish
    from sickbay.collect.source import Source


def add_context(group: "argparse._ArgumentGroup") -> None:
    """Add what names a cluster of the kubeconfig."""
    group.add_argument(
        "--context", default="", metavar="NAME", help="of the kubeconfig; default: the current one"
    )
    group.add_argument(
        "--kubeconfig", default="", metavar="FILE", help="default: as kubectl finds it"
    )


def add_kubernetes(parser: argparse.ArgumentParser) -> None:
    """Add what names a cluster of the kubeconfig, and what is looked at there."""
    kube = parser.add_argument_group("Kubernetes, live and only reading")
    add_context(kube)
    kube.add_argument("--namespace", default="", metavar="NS", help="only this namespace")
    kube.add_argument(
        "--probe", action="store_true", help="also look from inside, by a short-lived pod"
    )
    kube.add_argument("--probe-node", default="", metavar="NODE", help="where that pod runs")
    kube.add_argument(
        "--probe-host",
        action="store_true",
        help="let it look at its node too: routes, rules, clock",
    )
    kube.add_argument("--probe-image", default="", metavar="IMAGE", help="with sh, nc and nslookup")


def kubernetes_sources(args: argparse.Namespace, *, is_alone: bool) -> "list[Source]":
    """The cluster that the options name; alone, that of the current context without being named."""
    is_named = bool(args.context or args.namespace or args.kubeconfig or args.probe)
    if not is_named and not is_alone:
        return []
    from sickbay.cli.azure import azure_behind, command_behind
    from sickbay.collect.credentials import is_at_hand

    found = _access(args, is_named=is_named)
    if found is None:
        return []
    # Where Azure is asked anyway, it need not be asked again.
    azure = azure_behind(args, found.cluster.server) if is_alone else None
    # Without anybody signed in, Azure is worth the wait only if the cluster does not answer.
    beside = [azure] if azure and is_at_hand(args.auth) else []
    command = command_behind(args, found.cluster.server)
    instead = [one for one in (None if beside else azure, command) if one]
    return [*beside, _whole(args, found, tuple(instead))]


def context_source(args: argparse.Namespace, *, is_alone: bool) -> "Source | None":
    """The cluster of a context, all of it; alone, the current one without being named."""
    is_named = bool(args.context or args.kubeconfig)
    found = _access(args, is_named=is_named) if is_named or is_alone else None
    if found is None:
        return None
    from sickbay.cli.azure import seconds_of
    from sickbay.collect.kubernetes import About, Kubernetes

    return Kubernetes(found, About(seconds=seconds_of(args)))


def _access(args: argparse.Namespace, *, is_named: bool) -> "Access | None":
    from sickbay.collect.kubeconfig import access

    found = access(args.kubeconfig, args.context)
    if found is None and is_named:
        raise SickbayError("there is no kubeconfig", "name one with --kubeconfig FILE")
    return found


def _whole(args: argparse.Namespace, found: "Access", instead: "tuple[Source, ...]") -> "Source":
    from sickbay.cli.azure import seconds_of
    from sickbay.collect.kubernetes import About, Kubernetes

    return Kubernetes(found, About(args.namespace, seconds_of(args), _wish(args), instead))


def _wish(args: argparse.Namespace) -> "Wish | None":
    """What the pod of a probe is like; announced, for it is the one thing that leaves a trace."""
    if not args.probe:
        if args.probe_node or args.probe_host or args.probe_image:
            raise SickbayError("a probe is described and not asked for", "add --probe")
        return None
    from sickbay.collect.probe_pod import IMAGE, Wish

    wish = Wish(
        args.namespace or "default", args.probe_node, args.probe_image or IMAGE, args.probe_host
    )
    if sys.stderr is not None and not getattr(args, "dry_run", False):
        where = f"on node {wish.node}" if wish.node else "on some node"
        print(
            f"sickbay: --probe starts a pod from {wish.image} in namespace {wish.namespace} "
            f"{where}, and removes it; if the server of an AKS cluster is out of reach, "
            "kubectl runs there by Azure's run-command",
            file=sys.stderr,
        )
    return wish
