"""Recorded bodies of Azure, when they are at hand: all understood, and `az` equal to REST."""

import json
from pathlib import Path
from typing import Any

import pytest
from evidence_kit import made, made_of  # type: ignore[import-not-found]

from sickbay.bundle.documents import Documents
from sickbay.model.entity import Entity
from sickbay.model.evidence import Gap, Origin, Text
from sickbay.model.ids import Ref

EXAMPLES = Path(__file__).parents[3] / "shared" / "arm" / "examples"
BODIES = sorted(EXAMPLES.rglob("*.json"))
RAW = [path for path in BODIES if not path.parent.name.startswith("_")]
AZ = [path for path in BODIES if path.parent.name == "_az"]
NO_EXAMPLES = pytest.mark.skipif(not BODIES, reason="the recorded bodies are not at hand")


def documents(path: Path) -> list[dict[str, Any]]:
    body = json.loads(path.read_text())
    body = body["value"] if isinstance(body, dict) and "value" in body else body
    found = body if isinstance(body, list) else [body]
    return [one for one in found if str(one.get("id", "")).startswith("/subscriptions/")]


def decoded(body: dict[str, Any]) -> dict[Ref, Entity]:
    texts: list[Text] = []
    gaps: list[Gap] = []
    store = Documents(texts.append, gaps.append)
    store.arm(body, Origin("test"))
    return store.entities


@NO_EXAMPLES
@pytest.mark.parametrize("path", BODIES, ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_every_recorded_body_is_understood(path: Path) -> None:
    assert made(path.read_text(), str(path)).snapshot.gaps == ()


@NO_EXAMPLES
@pytest.mark.parametrize("path", AZ, ids=lambda path: path.name)
def test_what_az_prints_decodes_equal_to_what_rest_answers(path: Path) -> None:
    known = [decoded(body) for other in RAW for body in documents(other)]
    for body in documents(path):
        assert decoded(body) in known


@NO_EXAMPLES
def test_all_recorded_bodies_together_are_understood() -> None:
    files = {str(path): path.read_text() for path in BODIES}
    assert made_of(files).not_understood == []
