"""The report as SARIF 2.1.0, for code scanning and viewers of static analysis."""

import json
import re
from hashlib import sha256
from typing import Any, Final
from urllib.parse import quote

from sickbay.report.columns import visible

Document = dict[str, Any]

_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}
_LINE: Final = re.compile(r"lines? (\d{1,9})\b")
_MOST_TEXT: Final = 4_000


def render(data: Document) -> str:
    """Return a diagnosis as SARIF."""
    rules = list({cause["rule"]: cause for cause in reversed(data["causes"])}.values())[::-1]
    index = {cause["rule"]: number for number, cause in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "Sickbay",
                "semanticVersion": data["version"],
                "rules": [_rule(cause) for cause in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(cause, index[cause["rule"]]) for cause in data["causes"]],
        "invocations": [_invocation(data)],
        "properties": {"health": data["health"], "target": _plain(data["target"]["id"])},
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(cause: Document) -> Document:
    rule = {
        "id": cause["rule"],
        "shortDescription": {"text": _plain(cause["title"])},
        "fullDescription": {"text": _plain(cause["why"])},
        "defaultConfiguration": {"level": _LEVELS[cause["severity"]]},
    }
    links = [url for url in cause["docs"] if url.startswith("https://")]
    return rule | {"helpUri": quote(links[0], safe=":/?#&=%+,;@")} if links else rule


def _result(cause: Document, index: int) -> Document:
    # What is only possible was not decided; the format then allows no level.
    is_open = cause["certainty"] == "possible" and not cause.get("stands_in")
    subject = cause["subject"]
    # Azure spells one id in several ways.
    key = f"{cause['rule']}\0{str(subject.get('id', '')).casefold()}"
    return {
        "ruleId": cause["rule"],
        "ruleIndex": index,
        "kind": "open" if is_open else "fail",
        "level": "none" if is_open else _LEVELS[cause["severity"]],
        "message": {"text": _plain(cause["says"]) or _plain(cause["title"])},
        "locations": _locations(cause, subject),
        "partialFingerprints": {
            "ruleAndSubject/v1": sha256(key.encode("utf-8", "replace")).hexdigest()
        },
        "occurrenceCount": max(cause["count"], 1),
        "properties": {"certainty": cause["certainty"], "ask": _plain(cause["ask"])},
    }


def _locations(cause: Document, subject: Document) -> list[Document]:
    logical = {
        "name": _plain(str(subject.get("name", ""))),
        "fullyQualifiedName": _plain(str(subject.get("id", ""))),
        "kind": _plain(str(subject.get("kind", ""))),
    }
    places = [_physical(piece) for piece in cause["evidence"] if piece["source"]]
    return [{"physicalLocation": place, "logicalLocations": [logical]} for place in places] or [
        {"logicalLocations": [logical]}
    ]


def _physical(piece: Document) -> Document:
    path = piece["source"].replace("\\", "/")
    place: Document = {"artifactLocation": {"uri": quote(path, safe="/", errors="replace")}}
    found = _LINE.fullmatch(piece["locator"])
    if found and int(found[1]) > 0:
        snippet = {"text": _plain(piece["text"])}
        place["region"] = {"startLine": int(found[1]), "snippet": snippet}
    return place


def _invocation(data: Document) -> Document:
    notices = [
        {"level": "error", "message": {"text": _plain(f"a rule of ours failed: {crash}")}}
        for crash in data["crashed"]
    ]
    notices += [
        {
            "level": "warning",
            "message": {"text": _plain(f"not seen: {gap['source']}: {gap['what']}")},
        }
        for gap in data["gaps"]
    ]
    return {"executionSuccessful": not data["crashed"], "toolExecutionNotifications": notices}


def _plain(text: str) -> str:
    return visible(text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]} …")
