"""Writes the generated pages: one for each rule, their index, the command reference and the schema.

With `--check` it writes nothing and fails if a page differs from what the code says.
"""

import argparse
import io
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path

from sickbay.cli.main import COMMANDS, main
from sickbay.report.rule_page import page
from sickbay.report.schema import published
from sickbay.store import open_rules

DOCS = Path(__file__).parent
WRITTEN_WITH = (3, 11)
STALE = "run `make docs` and commit the result"


def pages() -> dict[Path, str]:
    catalog = open_rules().catalog
    texts: dict[Path, str] = {}
    rows = ["# The rules", "", "Generated from the catalogue by `make docs`.", ""]
    family = ""
    for id in catalog:
        card = catalog.card(id)
        name, _, fault = id.partition(".")
        if name != family:
            family = name
            rows += ["", f"## {family}", ""]
        rows.append(f"- [`{id}`]({name}/{fault}.md): {card.title}")
        causes = [catalog.card(cause) for cause in catalog.causes_of(id)]
        text = page(card, causes, [catalog.card(effect) for effect in catalog.effects_of(id)])
        texts[DOCS / "rules" / name / f"{fault}.md"] = text.rstrip() + "\n"
    texts[DOCS / "rules" / "README.md"] = "\n".join(rows) + "\n"
    if sys.version_info[:2] == WRITTEN_WITH:
        # argparse words its help differently from version to version.
        texts[DOCS / "commands.md"] = commands()
    texts |= {DOCS / "schema" / name: text for name, text in published().items()}
    return texts


def commands() -> str:
    parts = ["# Commands", "", "Generated from the program's own help by `make docs`.", ""]
    for words in ([], *([command] for command in COMMANDS)):
        title = f"## sickbay {' '.join(words)}".rstrip()
        parts += [title, "", "```text", help_of(words), "```", ""]
    return "\n".join(parts)


def help_of(words: list[str]) -> str:
    printed = io.StringIO()
    with suppress(SystemExit), redirect_stdout(printed):
        main([*words, "--help"])
    return printed.getvalue().rstrip()


def run() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    wanted = pages()
    there = {*(DOCS / "rules").rglob("*.md"), *(path for path in wanted if path.exists())}
    stale = [path for path, text in wanted.items() if path not in there or path.read_text() != text]
    gone = sorted(there - wanted.keys())
    if check:
        for path in (*stale, *gone):
            print(f"{path.relative_to(DOCS.parent)} is out of date: {STALE}", file=sys.stderr)
        return 1 if stale or gone else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path])
    for path in gone:
        path.unlink()
    return 0


if __name__ == "__main__":
    import os

    # Help wraps at the width of the terminal; the pages must not.
    os.environ["COLUMNS"] = "80"
    sys.exit(run())
