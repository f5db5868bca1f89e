"""`sickbay collect`: evidence into one redacted bundle."""

import argparse
import os
import sys

from sickbay.cli.options import add_common, observer, write
from sickbay.errors import Exit, SickbayError


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  sickbay collect --from support-folder/ --to case.sickbay\n"
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
    add_common(parser, ("text", "json"))


def run(args: argparse.Namespace) -> int:
    from sickbay.app import collect_saved

    if not args.path:
        raise SickbayError(
            "no evidence to collect", "use --from PATH with a folder, an archive or a file"
        )
    if os.path.exists(args.to) and not args.force:  # noqa: PTH110
        raise SickbayError(f"{args.to} is there already", "choose another --to, or add --force")
    gaps = collect_saved(args.path, args.to, pseudonyms=args.pseudonyms, observer=observer(args))
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
