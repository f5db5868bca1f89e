"""`sickbay collect`: evidence into one redacted bundle."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from sickbay.cli.live import add_live, one_kind_of_evidence, sources_of
from sickbay.cli.options import add_common, observer, write
from sickbay.errors import Exit, SickbayError

if TYPE_CHECKING:
    from sickbay.collect.source import Source
    from sickbay.model.evidence import Gap


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  sickbay collect -g my-group -n my-cluster --to case.sickbay\n"
        "  sickbay collect -g my-group -n my-cluster --dry-run\n"
        "  sickbay collect --from support-folder/ --to case.sickbay\n"
        "  sickbay collect --from logs.zip --to case.sickbay --pseudonyms"
    )
    parser.add_argument(
        "--from", dest="path", metavar="PATH", help="saved evidence to make a bundle of"
    )
    parser.add_argument(
        "--to", default="evidence.sickbay", metavar="FILE", help="the bundle to write"
    )
    parser.add_argument(
        "--pseudonyms", action="store_true", help="also replace identities by stable stand-ins"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be read, and read nothing"
    )
    parser.add_argument(
        "--print-role",
        action="store_true",
        help="print the ClusterRole that a run over Kubernetes needs, and read nothing else",
    )
    parser.add_argument(
        "--upload",
        default="",
        metavar="SAS_URL",
        help="also store the bundle as one blob in this container (the only thing that is written)",
    )
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    add_live(parser)
    add_common(parser, ("text", "json"))


def run(args: argparse.Namespace) -> int:
    if args.print_role:
        from sickbay.collect.kube_role import offered
        from sickbay.collect.kubeconfig import access

        write(offered(access(args.kubeconfig, args.context)))
        return Exit.HEALTHY
    sources = sources_of(args)
    one_kind_of_evidence(args, sources)
    if args.dry_run:
        return _tell(sources, args.output)
    if args.upload:
        from sickbay.collect.upload import check

        check(args.upload)
    if os.path.exists(args.to) and not args.force:  # noqa: PTH110
        raise SickbayError(f"{args.to} is there already", "choose another --to, or add --force")
    how = {"pseudonyms": args.pseudonyms, "observer": observer(args)}
    if args.path:
        from sickbay.app import collect_saved

        gaps = collect_saved(args.path, args.to, **how)
    else:
        from sickbay.live import collect_live

        gaps = collect_live(sources, args.to, **how)
    stored = _stored(args)
    _report(args, gaps, stored)
    return Exit.COULD_NOT_LOOK if any(gap.asked_for for gap in gaps) else Exit.HEALTHY


def _stored(args: argparse.Namespace) -> str:
    """Where the bundle was stored besides, if that was asked for."""
    if not args.upload:
        return ""
    from sickbay.collect.upload import upload

    return upload(args.to, args.upload, os.path.basename(args.to))  # noqa: PTH119


def _report(args: argparse.Namespace, gaps: "tuple[Gap, ...]", stored: str) -> None:
    size = os.path.getsize(args.to)  # noqa: PTH202
    if args.output == "json":
        import json

        rows = [{"source": g.source, "what": g.what, "reason": g.reason.value} for g in gaps]
        told = {"bundle": args.to, "bytes": size, "gaps": rows}
        write(json.dumps(told | ({"stored": stored} if stored else {}), indent=2))
        return
    for gap in gaps:
        print(f"sickbay: {gap.source}: {gap.what}", file=sys.stderr)
    write(f"{args.to}  {size / 1000:.0f} kB, {len(gaps)} not read")
    if stored:
        write(f"stored as {stored}")


def _tell(sources: "list[Source]", output: str) -> int:
    """Say what would be read, from where, and what that may need."""
    from sickbay.live import planned

    looks = planned(sources)
    if output == "json":
        import json

        write(json.dumps({"looks": [look._asdict() for look in looks]}, indent=2))
        return Exit.HEALTHY
    for look in looks:
        write(f"{look.source:<11} {look.what}\n{'':<11}   from {look.where}")
        if look.needs:
            write(f"{'':<11}   needs {look.needs}")
    return Exit.HEALTHY
