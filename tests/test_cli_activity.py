"""`sickbay activity` as a user and as a script meet it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from sickbay.bundle.events import EventSink, event_of
from sickbay.cli.main import main
from sickbay.engine.operations import Asked, Log, operations
from sickbay.model.evidence import Origin
from sickbay.report.activity import document, followed, render
from sickbay.report.schema_states import ACTIVITY, OPERATION

HERE = Path(__file__).parent
POOL = (
    "/subscriptions/s/resourceGroups/prod-rg/providers/Microsoft.ContainerService/"
    "managedClusters/prod/agentPools/np1"
)
WRITE = "Microsoft.ContainerService/managedClusters/agentPools/write"
INNER = {"code": "SubnetIsFull", "message": "Subnet nodes has no addresses left"}
MESSAGE = json.dumps(
    {"status": "Failed", "error": {"code": "Conflict", "message": json.dumps({"error": INNER})}}
)


def event(minute: int, status: str, **members: Any) -> dict[str, Any]:
    said = {"statusMessage": MESSAGE, "statusCode": "Conflict"} if status == "Failed" else {}
    return {
        "eventDataId": f"event-{minute}",
        "eventTimestamp": f"2026-01-01T10:{minute:02}:00.1234567Z",
        "submissionTimestamp": f"2026-01-01T10:{minute + 3:02}:00Z",
        "operationName": {"value": WRITE, "localizedValue": "Create or Update Agent Pool"},
        "operationId": "op",
        "correlationId": "corr-1",
        "status": {"value": status, "localizedValue": status},
        "subStatus": {"value": "", "localizedValue": ""},
        "category": {"value": "Administrative"},
        "level": "Error" if status == "Failed" else "Informational",
        "caller": "alice@contoso.com",
        "resourceId": POOL,
        "resourceGroupName": "prod-rg",
        "claims": {"http://schemas/upn": "alice@contoso.com", "groups": "very-secret-group"},
        "httpRequest": {"clientIpAddress": "203.0.113.77"},
        "properties": said,
        **members,
    }


EVENTS = [event(1, "Started"), event(2, "Accepted"), event(32, "Failed")]


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "activity.json"
    path.write_text(json.dumps(EVENTS))
    return str(path)


def shown(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["activity", *words])
    return code, capfd.readouterr().out


def data(capfd: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    _, out = shown(capfd, *words, "-o", "json")
    found: dict[str, Any] = json.loads(out)
    Draft202012Validator(ACTIVITY).validate(found)
    return found


def test_three_events_are_one_line_with_its_duration_and_its_cause(
    log: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out = shown(capfd, "--from", log)
    assert code == 0
    [line] = [line for line in out.splitlines() if line.startswith("FAILED")]
    assert line.split() == ["FAILED", "10:01", "31", "min", "write", "pool", "np1"]
    assert "SubnetIsFull: Subnet nodes has no addresses left" in out
    assert "alice@contoso.com" in out


@pytest.mark.parametrize(
    "wrap",
    [lambda e: e, lambda e: {"value": e}, lambda e: e[-1], lambda e: {"value": e, "nextLink": ""}],
    ids=["az", "rest", "portal", "last page"],
)
def test_whatever_saved_it_the_failure_is_the_same(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], wrap: Any
) -> None:
    path = tmp_path / "saved.json"
    path.write_text(json.dumps(wrap(EVENTS)))
    found = data(capfd, "--from", str(path))
    assert found["operations"][0]["error"]["code"] == "SubnetIsFull"
    assert found["operations"][0]["error"]["carriers"] == ["Conflict"]


def test_a_folder_and_a_bundle_of_it_show_the_same(
    log: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bundle = str(tmp_path / "case.sickbay")
    assert main(["collect", "--from", log, "--to", bundle]) == 0
    capfd.readouterr()
    saved, kept = (data(capfd, "--from", path) for path in (log, bundle))
    assert saved["operations"] == kept["operations"]


@pytest.mark.parametrize("form", ["text", "json", "yaml"])
@pytest.mark.parametrize("more", [[], ["--event", "event-32"], ["-v"]])
def test_who_exactly_called_and_from_where_is_never_shown(
    log: str, capfd: pytest.CaptureFixture[str], form: str, more: list[str]
) -> None:
    _, out = shown(capfd, "--from", log, "-o", form, *more)
    assert "very-secret-group" not in out
    assert "203.0.113.77" not in out


def test_one_event_is_shown_in_full(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out = shown(capfd, "--from", log, "--event", "EVENT-32")
    assert code == 0
    assert "Error, from the outside in" in out
    assert out.index("Conflict") < out.index("SubnetIsFull")
    assert "in the log since 2026-01-01 10:35:00 UTC" in out
    [full] = data(capfd, "--from", log, "--event", "event-32")["events"]
    assert full["raw"]["properties"]["statusCode"] == "Conflict"


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["--status", "failed"], 1),
        (["--status", "succeeded"], 0),
        (["--caller", "alice"], 1),
        (["--caller", "bob"], 0),
        (["--category", "policy"], 0),
        (["--level", "error"], 1),
        (["-g", "PROD-RG"], 1),
        (["-g", "other"], 0),
        (["--resource", "prod"], 1),
        ([POOL], 1),
        (["-n", "np1"], 1),
        (["--correlation-id", "CORR-1"], 1),
        (["--operation-name", "agentpools"], 1),
        (["--since", "2026-01-01T10:40:00Z"], 0),
        (["--until", "2026-01-01T09:00:00Z"], 0),
        (["--until", "2026-01-01T11:00:00Z", "--offset", "2h"], 1),
    ],
)
def test_the_filters_of_the_portal_and_of_az(
    log: str, capfd: pytest.CaptureFixture[str], words: list[str], count: int
) -> None:
    assert len(data(capfd, "--from", log, *words)["operations"]) == count


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--since", "tomorrow-ish", "--from", "x"], "is no time"),
        (["--from", "nowhere.json"], "cannot be read"),
        (["--operation", "https://evil.example/operations/1"], "not sent there"),
        (["--operation", "https://management.azure.com/operations/1", "--from", "x"], "live"),
        (["-s", "s", "--until", "200d"], "is kept"),
        (["-s", "s", "--since", "1h", "--until", "2h"], "is not before"),
        (["-s", "s", "--timeout", "soon"], "no number of seconds"),
    ],
)
def test_a_mistake_is_one_line_and_2(
    capfd: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    assert main(["activity", *words]) == 2
    err = capfd.readouterr().err
    assert says in err
    assert err.count("\n") == 1


def test_an_event_that_is_not_there_is_told(log: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["activity", "--from", log, "--event", "nope"]) == 2
    assert "there is no event nope" in capfd.readouterr().err


def test_evidence_without_a_log_is_partial(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("nothing was done\n")
    code, out = shown(capfd, "--from", str(tmp_path))
    assert code == 3
    assert "no event of an activity log" in out


def test_a_log_that_breaks_off_is_partial_and_shows_what_it_has(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cut.json"
    path.write_text(json.dumps(EVENTS)[:-300])
    code, out = shown(capfd, "--from", str(path))
    assert code == 3
    assert "np1" in out


def test_an_empty_log_proves_nothing_and_says_so() -> None:
    empty = document(Log("subscription s", Asked("2026-01-01T00:00:00Z"), (), (), ()))
    assert "proves nothing" in render(empty, "text")


def test_a_policy_that_denied_is_told_by_its_name(capfd: pytest.CaptureFixture[str]) -> None:
    folder = HERE / "incidents" / "aks-policy-three-levels-deep" / "evidence"
    found = data(capfd, "--from", str(folder))
    [parent] = found["operations"]
    [denied] = [one for one in parent["children"] if one["outcome"] == "failed"]
    assert "Require a cost centre" in denied["error"]["text"]
    assert "RequestDisallowedByPolicy" in denied["error"]["carriers"]


def test_many_children_are_counted_and_the_failed_ones_come_first(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    children = [
        event(
            3 + number,
            "Failed" if number == 19 else "Succeeded",
            eventDataId=f"child-{number}",
            operationName={"value": "Microsoft.Network/publicIPAddresses/write"},
            resourceId=f"{POOL.partition('/providers/')[0]}/providers/Microsoft.Network/"
            f"publicIPAddresses/ip{number}",
        )
        for number in range(20)
    ]
    path = tmp_path / "activity.json"
    path.write_text(json.dumps([*EVENTS, *children]))
    _, out = shown(capfd, "--from", str(path))
    lines = out.splitlines()
    assert "└ 10:22" in next(line for line in lines[4:] if "public ip" in line)
    assert "and 12 more on its behalf: -v" in out
    assert max(map(len, lines)) <= 80


def test_a_terminal_gets_no_orders_out_of_a_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "activity.json"
    odd = event(1, "Failed", caller="\x1b[2Jmallory", resourceId="/subscriptions/s/\x07bell")
    path.write_text(json.dumps([odd]))
    for more in ([], ["--event", "event-1"]):
        _, out = shown(capfd, "--from", str(path), *more)
        assert "\x1b" not in out
        assert "\x07" not in out


PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
JSON = PLAIN | st.lists(PLAIN, max_size=2) | st.dictionaries(st.text(max_size=5), PLAIN, max_size=2)
MEMBERS = st.fixed_dictionaries(
    {"eventTimestamp": JSON, "operationName": JSON},
    optional=dict.fromkeys(
        "status subStatus level category caller resourceId resourceGroupName correlationId "
        "operationId eventDataId id properties description submissionTimestamp".split(),
        JSON,
    ),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(MEMBERS, max_size=3))
def test_events_of_any_content_are_survived(bodies: list[dict[str, Any]]) -> None:
    sink = EventSink()
    for number, body in enumerate(bodies):
        sink.event(body, Origin("x", str(number)))
    events = tuple(sink.events.values())
    found = document(Log("x", Asked(), operations(events, Asked().filters), events, ()))
    Draft202012Validator(ACTIVITY).validate(found)
    assert render(found, "text", is_full=True)


def test_what_is_no_event_is_none() -> None:
    assert event_of({"id": "/subscriptions/s"}) is None


def pages() -> Iterator[tuple[str, str]]:
    from sickbay.collect.operation import Followed
    from sickbay.model.activity import Outcome

    error = json.dumps({"error": {"code": "Conflict", "message": "x", "details": [INNER]}})
    for outcome, word in (
        (Outcome.FAILED, "  error  "),
        (Outcome.RUNNING, "  last seen  "),
        (Outcome.SUCCEEDED, "  last seen  "),
    ):
        history = (("2026-01-01T00:00:00Z", "InProgress"), ("2026-01-01T00:05:00Z", "Upgrading"))
        found = Followed(
            "/x?api-version=1", "op", POOL, "Upgrading: 1/3", outcome, error=error, history=history
        )
        made = followed(found)
        Draft202012Validator(OPERATION).validate(made)
        yield render(made, "text"), word


def test_the_error_of_an_operation_counts_only_at_its_end() -> None:
    for page, word in pages():
        assert word in page
        assert "SubnetIsFull: Subnet nodes" in page
        assert "Upgrading: 1/3" in page
        assert max(map(len, page.splitlines())) <= 80
