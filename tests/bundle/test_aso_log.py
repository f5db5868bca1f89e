"""A log of ASO is heard like any log, and its attempts are counted by object."""

import json

import pytest
from evidence_kit import Made, made  # type: ignore[import-not-found]

from sickbay.model.aso import Attempt, CredentialUse

TEXT = (
    'E1115 23:16:44.754720 5241 generic_reconciler.go:387] "Encountered error impacting Ready '
    'condition" err="Reason: {reason}, Severity: Warning, RetryClassification: RetrySlow, Cause: '
    'Resource \\"x\\" is busy" logger="app_containerapp" name="{name}" namespace="shop"\n'
)
FOLDED = (
    'E1115 23:16:44.754720 5241 generic_reconciler.go:387] "Encountered error impacting Ready '
    'condition" err=<\n\tReason: Conflict, Severity: Warning, RetryClassification: RetrySlow, '
    'Cause: busy\n\tRequestID=1\n > logger="app_containerapp" name="app1" namespace="shop"\n'
)
KLOGR = (
    "E0302 21:54:54.260693 1 generic_reconciler.go:387] app_containerapp "
    '"msg"="Encountered error impacting Ready condition" "error"="Reason: Conflict, '
    'Severity: Warning, RetryClassification: RetrySlow, Cause: busy" "name"="app1" '
    '"namespace"="shop"\n'
)
ZAP = (
    '{"level":"error","logger":"app_containerapp","msg":"Encountered error impacting Ready '
    'condition","name":"app1","namespace":"shop","error":"Reason: Conflict, Severity: Warning, '
    'RetryClassification: RetrySlow, Cause: busy"}\n'
)
SENT = (
    'I1115 23:22:44.754720 5241 arm_generic_reconciler.go:220] "Successfully sent resource to '
    'Azure" logger="app_containerapp" name="app1" namespace="shop" id="/subscriptions/0"\n'
)


def conflict(name: str = "app1", reason: str = "Conflict") -> str:
    return TEXT.format(name=name, reason=reason)


def read(text: str) -> Made:
    result: Made = made(text, "manager.log")
    return result


def attempts(text: str) -> list[tuple[str, str, int]]:
    found = read(text).snapshot.grouped(Attempt, "kind", Attempt.kind)
    return [(one.target, one.code, one.times) for one in found]


SERIES = [("containerapp/shop/app1", "Conflict", 2), ("containerapp/shop/app1", "", 1)]


def test_failures_in_a_row_are_one_attempt_of_several_times() -> None:
    assert attempts(conflict() + conflict() + SENT) == SERIES


def test_a_record_over_several_lines_counts() -> None:
    assert attempts(FOLDED + FOLDED + SENT) == SERIES


def test_the_older_format_counts() -> None:
    assert attempts(KLOGR + KLOGR + SENT) == SERIES


def test_records_of_json_count() -> None:
    assert attempts(ZAP + ZAP + SENT) == SERIES


def test_what_was_sent_and_then_reported_as_failed_had_failed() -> None:
    assert attempts(SENT + conflict() + SENT + conflict() + SENT) == SERIES


def test_waiting_of_the_operator_itself_is_no_attempt() -> None:
    assert attempts(conflict(reason="WaitingForOwner") * 3 + SENT) == []


def test_objects_are_counted_apart() -> None:
    assert attempts(conflict("app1") + conflict("app2") + SENT) == [
        ("containerapp/shop/app1", "Conflict", 1),
        ("containerapp/shop/app1", "", 1),
        ("containerapp/shop/app2", "Conflict", 1),
    ]


def test_failures_alone_make_no_attempts() -> None:
    assert attempts(conflict("app1") + conflict("app2")) == []


def test_the_log_is_still_heard() -> None:
    assert [log for log, _ in read(conflict() + SENT).logs] == [conflict() + SENT]


def test_a_record_that_breaks_off_is_no_attempt() -> None:
    assert attempts(FOLDED[:150] + "\n" + "x\n" * 100) == []


TESTS = (
    'I2025-05-25T21:13:41Z] app_containerapp "msg"="Encountered error impacting Ready condition" '
    '"err"="Reason: Conflict, Severity: Warning, RetryClassification: RetrySlow, Cause: the app '
    '"x" is busy" name="app1" namespace="shop" azureName="app1"\n'
)
CONTROLLERS = (
    'E0710 06:13:40.058350 1 generic_reconciler.go:370] "msg"="Encountered error impacting Ready '
    'condition" "azureName"="a" "error"="Reason: Conflict, Severity: Warning, '
    'RetryClassification: RetrySlow, Cause: busy" "logger"="controllers.ContainerAppController" '
    '"name"="app1" "namespace"="shop"\n'
)
OLDEST = (
    "I0509 18:01:35.453998 1 azure_generic_arm_reconciler.go:490] "
    'controllers/ContainerAppController "msg"="Resource creation failure" "azureName"="a" '
    '"name"="app1" "namespace"="shop" "error"="PUT https://management.azure.com/x\\n--\\n'
    'RESPONSE 409: 409 Conflict\\nERROR CODE: Conflict\\n--"\n'
)


@pytest.mark.parametrize(
    "line", [TESTS, CONTROLLERS, OLDEST, f"2026-01-01T00:00:00Z {CONTROLLERS}"]
)
def test_every_writer_that_asos_log_has_had_is_read(line: str) -> None:
    assert attempts(line + line + SENT) == SERIES


def test_a_failure_that_two_lines_tell_is_one_attempt() -> None:
    assert attempts((OLDEST + conflict()) * 2 + SENT) == SERIES


def test_an_error_over_many_lines_keeps_its_code_and_its_object() -> None:
    body = "    --------\n    RESPONSE 400: 400 Bad Request\n    ERROR CODE: BadRequest\n"
    line = (
        'I2025-05-25T21:13:41Z] cache_redis "msg"="Error during Delete" "err"="deleting: DELETE '
        f'https://management.azure.com/x\n{body}    " name="r2" namespace="shop" azureName="r2"\n'
    )
    done = (
        'I2025-05-25T21:20:41Z] cache_redis "msg"="Delete succeeded, removing finalizer" '
        'name="r2" namespace="shop"\n'
    )
    other = SENT.replace("app1", "app2")
    assert attempts(other + line * 3 + done) == [
        ("redis/shop/r2", "BadRequest", 3),
        ("redis/shop/r2", "", 1),
    ]


def test_a_deletion_is_not_taken_for_the_creation_before_it() -> None:
    deleting = SENT.replace("Successfully sent resource to Azure", "Starting delete of resource")
    assert attempts(conflict() + SENT + deleting + conflict()) == [
        ("containerapp/shop/app1", "Conflict", 1),
        ("containerapp/shop/app1", "", 1),
        ("containerapp/shop/app1", "Conflict", 1),
    ]


def test_times_of_attempts_are_kept_where_the_writer_tells_the_year() -> None:
    found = read(TESTS + TESTS.replace("21:13", "21:19") + SENT).snapshot.grouped(
        Attempt, "kind", Attempt.kind
    )
    assert (found[0].first, found[0].last) == ("2025-05-25T21:13:41Z", "2025-05-25T21:19:41Z")


USED = (
    'I0710 06:13:40.058579 1 recorder.go:104] "msg"="Using credential from '
    '\\"shop/aso-credential\\"" "logger"="events" "object"={"kind":"ContainerApp",'
    '"namespace":"shop","name":"app1","uid":"4a"} "reason"="CredentialFrom" "type"="Normal"\n'
)


def test_the_credential_that_asos_recorder_names_is_noted() -> None:
    found = read(conflict() + USED).snapshot.grouped(CredentialUse, "kind", CredentialUse.kind)
    assert [(one.target, one.secret) for one in found] == [
        ("containerapp/shop/app1", "shop/aso-credential")
    ]


def test_what_the_recorder_repeats_of_the_reconciler_is_no_second_success() -> None:
    repeated = (
        'I0710 06:13:41.1 1 recorder.go:104] "msg"="Successfully sent resource to Azure with ID '
        '\\"/x\\"" "logger"="events" "object"={"kind":"ContainerApp","namespace":"shop",'
        '"name":"app1"}\n'
    )
    assert attempts(conflict() * 2 + SENT + repeated) == SERIES


REFUSED = "Reason: Conflict, Severity: Warning, RetryClassification: RetrySlow, Cause: busy"
TABLE = f"""LAST SEEN   TYPE      REASON                      OBJECT              MESSAGE
2m          Normal    BeginCreateOrUpdate         containerapp/app1   Successfully sent \
resource to Azure with ID "/x"
9m          Warning   CreateOrUpdateActionError   containerapp/app1   {REFUSED}
11m         Warning   CreateOrUpdateActionError   containerapp/app1   {REFUSED}!
"""


def test_a_table_of_events_is_ordered_by_age() -> None:
    assert [one[1:] for one in attempts(TABLE)] == [("Conflict", 2), ("", 1)]


def test_an_event_that_failed_last_has_failed() -> None:
    assert attempts(TABLE.replace("2m  ", "20m ")) == []


def test_the_events_of_a_table_are_still_heard() -> None:
    assert {text.channel for text in read(TABLE).texts} == {"event"}


def event(reason: str, message: str, at: str, count: int = 1) -> dict[str, object]:
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"{reason}{at}", "namespace": "shop"},
        "involvedObject": {"kind": "ContainerApp", "namespace": "shop", "name": "app1"},
        "reason": reason,
        "message": message,
        "count": count,
        "lastTimestamp": f"2026-03-02T10:{at}:00Z",
    }


def test_events_as_documents_are_counted_in_the_order_of_their_times() -> None:
    items = [
        event("BeginCreateOrUpdate", 'Successfully sent resource to Azure with ID "/x"', "30"),
        event("CreateOrUpdateActionError", REFUSED, "20", 5),
    ]
    saved = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
    assert attempts(saved) == [
        ("containerapp/shop/app1", "Conflict", 5),
        ("containerapp/shop/app1", "", 1),
    ]


def test_a_log_of_many_objects_is_bounded() -> None:
    many = "".join(conflict(f"app{number}") for number in range(6_000))
    assert len(attempts(many + SENT)) <= 5_001


@pytest.mark.parametrize(
    "line", ["{", '{"msg": 1, "name": []}', "E1115 ", '{"a": "' + "x" * 20_000]
)
def test_what_is_broken_off_does_no_harm(line: str) -> None:
    assert attempts(f"{line}\n{conflict()}{line}\n{conflict()}{SENT}") == SERIES
