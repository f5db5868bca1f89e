"""Every world of the lab: a live run finds what is wrong, and so does one over its bundle."""

from pathlib import Path

import pytest
from live import expected, live, saved, without_times  # type: ignore[import-not-found]

from sickbay.lab.server import running
from sickbay.lab.world import worlds
from sickbay.model.diagnosis import Diagnosis, Health
from sickbay.report.render import render
from sickbay.rulekit import Severity
from sickbay.store import Rules

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1", "::1"]),
    pytest.mark.usefixtures("rules"),
]
AT_LEAST_TWICE_ILL = 10


def told(diagnosis: Diagnosis) -> str:
    """A diagnosis as it is written, without times."""
    found: str = without_times(render(diagnosis, "json"))
    return found


def test_it_is_told_of_every_world_what_is_wrong(rules: Rules) -> None:
    assert set(expected()) == set(worlds())
    named = {
        one[field] for one in expected().values() for field in ("rule", "also") if field in one
    }
    assert not [rule for rule in named if rule not in rules.catalog]
    assert sum("also" in one for one in expected().values()) >= AT_LEAST_TWICE_ILL


@pytest.mark.parametrize("name", sorted(expected()))
def test_a_live_run_finds_what_is_wrong_and_its_bundle_says_the_same(
    name: str, tmp_path: Path
) -> None:
    wanted = expected()[name]
    with running(name) as lab:
        found = live(lab, wanted["target"])
        writes = [line for line in lab.asked if not line.startswith(("GET", "POST"))]
    with running(name) as lab:
        again = saved(lab, wanted["target"], tmp_path)
    assert writes == []
    assert told(found) == told(again)
    # How many answers, resources and texts it rests on; only some formats write it.
    assert found.looked == again.looked
    serious = [one for one in found.causes if one.severity is not Severity.INFO]
    if "rule" not in wanted:
        assert [(one.rule, one.says) for one in serious] == []
        assert found.health is Health(wanted.get("health", "healthy"))
        return
    first = serious[0]
    assert first.rule == wanted["rule"]
    assert first.subject.name == wanted.get("subject", first.subject.name)
    seen = {one.rule for one in serious} | {one.rule for cause in serious for one in cause.explains}
    assert "also" not in wanted or wanted["also"] in seen
