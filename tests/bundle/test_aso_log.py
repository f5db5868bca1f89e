"""A log of ASO is heard like any log, and its attempts are counted by object."""

from evidence_kit import Made, made  # type: ignore[import-not-found]

from sickbay.model.aso import Attempt

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
    ]


def test_the_log_is_still_heard() -> None:
    assert [log for log, _ in read(conflict() + SENT).logs] == [conflict() + SENT]


def test_a_record_that_breaks_off_is_no_attempt() -> None:
    assert attempts(FOLDED[:150] + "\n" + "x\n" * 100) == []
