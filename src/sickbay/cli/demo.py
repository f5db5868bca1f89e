"""`sickbay demo`: three shipped incidents, diagnosed here and now; no account, no network."""

import argparse
import os
import sys
import tempfile

from sickbay.cli.options import add_common, observer, use_colour, write

_INCIDENTS = {
    "aks-upgrade": "An upgrade of an AKS node pool failed after half an hour.",
    "hybrid-cluster": "An AKS hybrid cluster on Operator Nexus never came up.",
    "arc-appliance": "The deployment of an Arc resource bridge timed out.",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example:\n  sickbay demo\n  sickbay demo --to reports/"
    parser.add_argument("--to", metavar="DIR", help="where the HTML reports go")
    add_common(parser, ("text",))


def run(args: argparse.Namespace) -> int:
    from sickbay.app import Settings, diagnose_saved
    from sickbay.report.render import render

    folder = args.to or tempfile.mkdtemp(prefix="sickbay-demo-")
    os.makedirs(folder, exist_ok=True)  # noqa: PTH103
    home = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "demo")  # noqa: PTH100, PTH118, PTH120
    pages = []
    for number, (name, story) in enumerate(_INCIDENTS.items(), 1):
        if not args.quiet:
            print(f"[{number}/{len(_INCIDENTS)}] {name}: {story}", file=sys.stderr)
        source = os.path.join(home, name)  # noqa: PTH118
        diagnosis = diagnose_saved(source, Settings(observer=observer(args)))
        title = f"$ sickbay diagnose --from {name}/\n\n"
        write(title + render(diagnosis, "text", colour=use_colour(args)) + "\n")
        page = os.path.join(folder, f"{name}.html")  # noqa: PTH118
        with open(page, "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write(render(diagnosis, "html"))
        pages.append(page)
    write("The same as pages:\n" + "\n".join(f"  {page}" for page in pages))
    return 0
