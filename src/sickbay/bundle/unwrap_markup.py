"""Error pages and XML errors: what a reader of them sees."""

import re
from typing import Final

from sickbay.bundle.unwrap_normal import resolve_entities

_TAG: Final = r"<[^<>]{1,2000}>"
_HIDDEN: Final = ("head", "script", "style")


def visible(page: str) -> str:
    """What a reader of an HTML page sees: its title, then its text."""
    title = _inside(page, "title")
    for name in _HIDDEN:
        page = _without(page, name)
    body = resolve_entities(re.sub(_TAG, " ", page))
    parts = (" ".join(resolve_entities(title).split()), " ".join(body.split()))
    return ": ".join(part for part in parts if part)


def storage_error(document: str) -> tuple[str, str]:
    """The code and message of an XML error, empty where it has none."""
    code, message = _inside(document, "Code"), _inside(document, "Message")
    return resolve_entities(code), resolve_entities(message)


def _inside(markup: str, name: str) -> str:
    opening = re.compile(rf"(?i)<{name}\b[^>]{{0,2000}}>").search(markup)
    if not opening:
        return ""
    closing = re.compile(rf"(?i)</{name}\b").search(markup, opening.end())
    return markup[opening.end() : closing.start() if closing else len(markup)]


def _without(markup: str, name: str) -> str:
    kept = []
    at = 0
    closing = re.compile(rf"(?i)</{name}\b")
    for opening in re.finditer(rf"(?i)<{name}\b", markup):
        if opening.start() < at:
            continue
        kept.append(markup[at : opening.start()])
        end = closing.search(markup, opening.end())
        at = end.start() if end else len(markup)
    return "".join([*kept, markup[at:]])
