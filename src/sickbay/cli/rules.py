"""`sickbay rules`: the catalogue, its pages, a scaffold, a test run, the schema of the outputs."""

import argparse
import json
import os
import sys

from sickbay.cli.options import add_common, add_rules, write
from sickbay.errors import Exit, SickbayError


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  sickbay rules list --family aks\n  sickbay rules show aks.subnet_full\n"
        "  sickbay rules new shop.cart_down --to my-rules/\n  sickbay rules test my-rules/\n"
        "  sickbay rules schema > diagnosis.schema.json"
    )
    parts = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = parts.add_parser("list", help="every rule, one a line")
    listing.add_argument("--family", help="only this family")
    listing.add_argument("--category", help="only this kind of trouble")
    show = parts.add_parser("show", help="the page of one rule")
    show.add_argument("id", help="such as aks.subnet_full")
    new = parts.add_parser("new", help="a scaffold for a rule of one's own")
    new.add_argument("id", help="FAMILY.FAULT, such as shop.cart_down")
    new.add_argument("--to", default=".", metavar="DIR", help="the folder of your rules")
    test = parts.add_parser("test", help="hold the laws over rules of one's own")
    test.add_argument("path", help="a folder of rules")
    schema = parts.add_parser("schema", help="the JSON Schema of the outputs")
    schema.add_argument("name", nargs="?", default="diagnosis", help="of diagnosis, status, …")
    for part in (listing, show):
        add_rules(part)
    for part in (listing, show, new, test, schema):
        add_common(part, ("text", "json"))


def run(args: argparse.Namespace) -> int:
    actions = {"list": _list, "show": _show, "new": _new, "test": _test, "schema": _schema}
    return actions[args.action](args)


def _list(args: argparse.Namespace) -> int:
    from sickbay.store import open_rules

    catalog = open_rules(args.rules).catalog
    cards = [catalog.card(id) for id in catalog]
    if args.family:
        cards = [card for card in cards if card.id.startswith(f"{args.family}.")]
    if args.category:
        cards = [card for card in cards if args.category in card.categories]
    if args.output == "json":
        rows = [
            {
                "id": card.id,
                "title": card.title,
                "severity": card.severity.value,
                "categories": [category.value for category in card.categories],
                "leads_to": list(card.leads_to),
            }
            for card in cards
        ]
        write(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        width = max((len(card.id) for card in cards), default=0)
        write("\n".join(f"{card.id:<{width}}  {card.title}" for card in cards))
    return Exit.HEALTHY


def _show(args: argparse.Namespace) -> int:
    from sickbay.report.rule_page import page
    from sickbay.store import open_rules

    catalog = open_rules(args.rules).catalog
    if args.id not in catalog:
        close = _closest(args.id, list(catalog))
        raise SickbayError(
            f"there is no rule {args.id}",
            f"did you mean {close}?" if close else "see: sickbay rules list",
        )
    card = catalog.card(args.id)
    if args.output == "json":
        write(json.dumps(card._asdict(), indent=2, ensure_ascii=False))
    else:
        causes = [catalog.card(id) for id in catalog.causes_of(args.id)]
        effects = [catalog.card(id) for id in catalog.effects_of(args.id)]
        from html import unescape

        # What Markdown must hide from a browser is plain in a terminal.
        write(unescape(page(card, causes, effects)))
    return Exit.HEALTHY


def _closest(word: str, ids: list[str]) -> str:
    from difflib import get_close_matches

    tails = {id.partition(".")[2]: id for id in ids}
    near = get_close_matches(word, ids, 1) or [
        tails[tail] for tail in get_close_matches(word.rpartition(".")[2], tails, 1)
    ]
    return near[0] if near else ""


def _new(args: argparse.Namespace) -> int:
    from sickbay.cli.scaffold import CASE, RULE, is_id

    if not is_id(args.id):
        raise SickbayError(
            f"{args.id} is no id of a rule",
            "use FAMILY.FAULT in lower case, such as shop.cart_down",
        )
    family, _, fault = args.id.partition(".")
    rule = os.path.join(args.to, family, f"{fault}.py")  # noqa: PTH118
    case = os.path.join(args.to, "cases", family, f"{fault}.yaml")  # noqa: PTH118
    for path in (rule, case):
        if os.path.exists(path):  # noqa: PTH110
            raise SickbayError(f"{path} is there already", "choose another id, or edit that file")
    for path, text in ((rule, RULE), (case, CASE)):
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        with open(path, "x", encoding="utf-8") as file:  # noqa: PTH123
            file.write(text)
    write(f"{rule}\n{case}\nNow: edit them, then run: sickbay rules test {args.to}")
    return Exit.HEALTHY


def _test(args: argparse.Namespace) -> int:
    from sickbay.app import check_rules

    if not os.path.isdir(args.path):  # noqa: PTH112
        raise SickbayError(
            f"{args.path} is no folder of rules", "name the folder that `rules new --to` wrote to"
        )
    results = check_rules(args.path)
    if not results:
        raise SickbayError(
            f"{args.path} holds no rule",
            f"start one: sickbay rules new FAMILY.FAULT --to {args.path}",
        )
    if args.output == "json":
        write(json.dumps(results, indent=2, ensure_ascii=False))
    else:
        write("\n".join(_verdict(id, found) for id, found in results.items()))
    failed = sum(bool(found) for found in results.values())
    print(f"{len(results) - failed} passed, {failed} failed", file=sys.stderr)
    return Exit.SICK if failed else Exit.HEALTHY


def _verdict(id: str, complaints: list[str]) -> str:
    return "\n".join(
        [f"{'FAIL' if complaints else 'ok':<5}{id}", *(f"     {c}" for c in complaints)]
    )


def _schema(args: argparse.Namespace) -> int:
    from sickbay.report.schema import SCHEMAS

    names = {name.partition(".")[0]: name for name in SCHEMAS}
    if args.name not in names:
        known = ", ".join(names)
        raise SickbayError(f"there is no schema {args.name}", f"there are {known}")
    write(json.dumps(SCHEMAS[names[args.name]], indent=2, ensure_ascii=False))
    return Exit.HEALTHY
