"""`sickbay collect`: evidence into one redacted bundle."""

import argparse
import os
import sys

from sickbay.cli.azure import add_azure, asked_of, is_live
from sickbay.cli.options import add_common, observer, write
from sickbay.errors import Exit, SickbayError


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  sickbay collect -g my-group -n my-cluster --to case.sickbay\n"
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
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    add_azure(parser)
    add_common(parser, ("text", "json"))


def run(args: argparse.Namespace) -> int:
    from sickbay.app import collect_azure, collect_saved

    if bool(args.path) == is_live(args):
        raise SickbayError(
            "no evidence to collect" if not args.path else "two sources of evidence",
            "name a target in Azure (an id, or -g and -n), or saved evidence with --from PATH",
        )
    if os.path.exists(args.to) and not args.force:  # noqa: PTH110
        raise SickbayError(f"{args.to} is there already", "choose another --to, or add --force")
    how = {"pseudonyms": args.pseudonyms, "observer": observer(args)}
    if args.path:
        gaps = collect_saved(args.path, args.to, **how)
    else:
        gaps = collect_azure(*asked_of(args), args.to, **how)
    size = os.path.getsize(args.to)  # noqa: PTH202
    if args.output == "json":
        import json

        rows = [{"source": g.source, "what": g.what, "reason": g.reason.value} for g in gaps]
        write(json.dumps({"bundle": args.to, "bytes": size, "gaps": rows}, indent=2))
    else:
        for gap in gaps:
            print(f"sickbay: {gap.source}: {gap.what}", file=sys.stderr)
        write(f"{args.to}  {size / 1000:.0f} kB, {len(gaps)} not read")
    return Exit.COULD_NOT_LOOK if any(gap.asked_for for gap in gaps) else Exit.HEALTHY
