"""`sickbay reach`: would this traffic pass, and which rule decides."""

import argparse
from typing import TYPE_CHECKING

from sickbay.cli.azure import add_named, azure_source
from sickbay.cli.kubernetes import add_context, context_source
from sickbay.cli.options import add_common, observer, use_colour, write
from sickbay.errors import SickbayError

if TYPE_CHECKING:
    from sickbay.app import Query
    from sickbay.model.snapshot import Snapshot

_FORMATS = ("text", "json", "yaml", "markdown", "html")
_PROTOCOLS = ("tcp", "udp", "sctp", "icmp")
_LAST_PORT = 65535


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "an end is pod/NAMESPACE/NAME, svc/NAMESPACE/NAME, node/NAME, ip:ADDRESS, internet,\n"
        "apiserver or a host name\n\n"
        "examples:\n"
        "  sickbay reach pod/shop/web-0 svc/shop/db --port 5432\n"
        "  sickbay reach node/aks-pool1-0 mcr.microsoft.com -g my-group -n my-cluster\n"
        "  sickbay reach pod/shop/web-0 svc/shop/db --port 5432 --from support-folder/\n"
        "  sickbay reach node/aks-pool1-0 mcr.microsoft.com --explain --from bundle.tar.zst\n"
        "  sickbay reach ip:203.0.113.7 apiserver --from aks-show.json\n"
        "  sickbay reach --matrix --namespace shop --from support-folder/ -o html > who.html"
    )
    parser.add_argument("source", nargs="?", metavar="SRC", help="where the traffic begins")
    parser.add_argument("sink", nargs="?", metavar="DST", help="where it shall go")
    parser.add_argument("--port", metavar="N", help="the port; without it, those of the target")
    parser.add_argument(
        "--protocol", type=str.lower, choices=_PROTOCOLS, default="", help="tcp unless told"
    )
    parser.add_argument(
        "--from",
        dest="path",
        metavar="PATH",
        help="a bundle, an archive, a folder or one file of saved outputs (az, kubectl)",
    )
    parser.add_argument(
        "--client-ip", default="", metavar="ADDRESS", help="your public address, as others see it"
    )
    parser.add_argument(
        "--explain", action="store_true", help="show every rule that was considered, in order"
    )
    parser.add_argument(
        "--matrix", action="store_true", help="who can talk to whom, by network policy"
    )
    parser.add_argument(
        "--namespace",
        action="append",
        default=[],
        metavar="NAME",
        help="with --matrix: only this namespace (may be repeated)",
    )
    add_named(parser)
    add_context(parser.add_argument_group("Kubernetes, live and only reading"))
    add_common(parser, _FORMATS)


def run(args: argparse.Namespace) -> int:
    from sickbay.app import Query
    from sickbay.network.prefixes import parse

    if args.client_ip and parse(args.client_ip) is None:
        raise SickbayError(f"{args.client_ip} is no address", "use --client-ip 203.0.113.7")
    query = Query(_port(args.port), args.protocol, args.client_ip)
    return _matrix(args, query) if args.matrix else _reach(args, query)


def _snapshot(args: argparse.Namespace) -> "Snapshot":
    """What is in evidence: saved, or of the cluster of a context and what Azure knows."""
    azure = azure_source(args)
    kube = context_source(args, is_alone=not args.path and azure is None)
    sources = [source for source in (azure, kube) if source is not None]
    if bool(args.path) == bool(sources):
        raise SickbayError(
            "two sources of evidence" if args.path else "no evidence to look at",
            "name a context of a kubeconfig, a target in Azure (--id, or -g and -n), "
            "or saved evidence with --from PATH",
        )
    if args.path:
        from sickbay.app import snapshot_of

        return snapshot_of(args.path, observer(args))
    from sickbay.live import snapshot_live

    return snapshot_live(sources, observer(args))


def _port(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or len(text) > len("65535") or not 0 < int(text) <= _LAST_PORT:
        raise SickbayError(f"{text} is no port", f"use a number from 1 to {_LAST_PORT}")
    return int(text)


def _reach(args: argparse.Namespace, query: "Query") -> int:
    from sickbay.app import reach_in
    from sickbay.report.reach import document, exit_code, render

    if not args.source or not args.sink:
        raise SickbayError(
            "traffic has two ends", "name SRC and DST, for example pod/shop/web-0 svc/shop/db"
        )
    found = reach_in(_snapshot(args), (args.source, args.sink), query)
    data = document(found, explain=args.explain)
    write(render(data, args.output, colour=use_colour(args)))
    return exit_code(found.verdict)


def _matrix(args: argparse.Namespace, query: "Query") -> int:
    from sickbay.app import matrix_in
    from sickbay.errors import Exit
    from sickbay.network.traffic import Verdict
    from sickbay.report.matrix import render

    if args.source or args.sink:
        raise SickbayError(
            "--matrix asks for all pods", "leave SRC and DST out; narrow it with --namespace"
        )
    found = matrix_in(_snapshot(args), tuple(args.namespace), query)
    if not found.rows:
        where = f" in namespace {', '.join(args.namespace)}" if args.namespace else ""
        raise SickbayError(
            f"there are no pods{where} in evidence", "save kubectl get pods -A -o json"
        )
    write(render(found, args.output))
    is_known = all(cell.verdict is not Verdict.UNKNOWN for cell in found.cells)
    return Exit.HEALTHY if is_known else Exit.COULD_NOT_LOOK
