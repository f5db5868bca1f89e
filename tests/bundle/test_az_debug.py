"""`az … --debug`: the failure at the end speaks, with its ids and without its secrets."""

import pytest
from evidence_kit import Made, made  # type: ignore[import-not-found]

from sickbay.model.ids import arm

HOST = "https://management.azure.com"
CLUSTER = (
    "/subscriptions/1/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks1"
)
POLL = "/subscriptions/1/providers/Microsoft.ContainerService/locations/westus/operations/op1"
P = "cli.azure.cli.core.sdk.policies:"
START = "cli.knack.cli: Command arguments: ['aks', 'create', '--debug']\n"
QUOTA = '{\n  "code": "QuotaExceeded",\n  "message": "Current Limit: 10"\n }'
NOT_FOUND = '{"error": {"code": "ResourceNotFound", "message": "not there"}}'
ERROR = "ERROR: (QuotaExceeded) Current Limit: 10\nCode: QuotaExceeded\n"


def exchange(method: str, path: str, status: int, body: str) -> str:
    return f"""\
{P} Request URL: '{HOST}{path}?api-version=1'
{P} Request method: '{method}'
{P} Request headers:
{P}     'Authorization': 'Bearer TOKEN'
{P} Request body:
{P} This request has no body
urllib3.connectionpool: Starting new HTTPS connection (1): management.azure.com:443
urllib3.connectionpool: {HOST}:443 "{method} {path} HTTP/1.1" {status} 238
{P} Response status: {status}
{P} Response headers:
{P}     'x-ms-correlation-request-id': 'c0ffee'
{P}     'Azure-AsyncOperation': '{HOST}{POLL}?api-version=1&s=SIGNED'
{P} Response content:
{P} {body}
"""


def read(*parts: str) -> Made:
    return made(START + "".join(parts), "az.log")


def test_a_refusal_speaks_about_the_resource_of_its_url() -> None:
    [text] = read(exchange("PUT", CLUSTER, 400, QUOTA), ERROR).texts
    assert "QuotaExceeded" in text.text
    assert text.about == arm(CLUSTER)


def test_ids_and_the_polling_link_are_kept_and_secrets_are_not() -> None:
    found = read(exchange("PUT", CLUSTER, 400, QUOTA), ERROR)
    assert "correlation id c0ffee" in found.texts[0].origin.locator
    assert POLL in found.texts[0].origin.locator
    assert "TOKEN" not in repr(found)
    assert "SIGNED" not in repr(found)


def test_the_error_at_the_end_is_not_told_twice() -> None:
    assert read(exchange("PUT", CLUSTER, 400, QUOTA), ERROR).logs == []


def test_a_probe_that_found_nothing_before_a_success_is_silent() -> None:
    found = read(exchange("GET", CLUSTER, 404, NOT_FOUND), exchange("PUT", CLUSTER, 200, "{}"))
    assert (found.texts, found.logs) == ([], [])


def test_only_the_last_failure_speaks() -> None:
    found = read(
        exchange("GET", CLUSTER, 404, NOT_FOUND), exchange("PUT", CLUSTER, 400, QUOTA), ERROR
    )
    assert ["QuotaExceeded" in text.text for text in found.texts] == [True]


def test_a_polled_failure_is_about_the_resource_that_was_asked_for() -> None:
    failed = (
        '{"name": "op1", "status": "Failed", "startTime": "2024-01-01T00:00:00Z", '
        '"error": {"code": "QuotaExceeded", "message": "m"}}'
    )
    found = read(exchange("PUT", CLUSTER, 201, "{}"), exchange("GET", POLL, 200, failed), ERROR)
    assert [text.about for text in found.texts] == [arm(CLUSTER)]


def test_an_error_that_no_answer_gave_is_heard_at_its_line() -> None:
    log = read(exchange("PUT", CLUSTER, 200, "{}"), "ERROR: no such file\n").logs
    assert [text for text, _ in log] == ["ERROR: no such file"]
    assert log[0][1].first_line == 16


def test_a_log_that_breaks_off_in_a_failure_still_speaks() -> None:
    assert len(read(exchange("PUT", CLUSTER, 400, QUOTA)).texts) == 1


@pytest.mark.parametrize("level", ["DEBUG: ", "INFO: "])
def test_levels_before_the_loggers_make_no_difference(level: str) -> None:
    text = START + exchange("PUT", CLUSTER, 400, QUOTA)
    marked = "\n".join(
        level + line if line.startswith(("cli", "urllib3")) else line for line in text.split("\n")
    )
    assert len(made(marked + ERROR, "az.log").texts) == 1


def test_the_connection_alone_tells_of_a_failure() -> None:
    line = f'urllib3.connectionpool: {HOST}:443 "PUT {CLUSTER} HTTP/1.1" 409 12\n'
    [text] = read(line).texts
    assert (text.text, text.about) == ("HTTP 409", arm(CLUSTER))


def shown(state: str) -> str:
    return f'{{"id": "{CLUSTER}", "properties": {{"provisioningState": "{state}"}}}}'


def is_read(*answers: str) -> bool:
    found = read(*(exchange("GET", CLUSTER, 200, answer) for answer in answers), ERROR)
    return found.snapshot.find(arm(CLUSTER)) is not None


def test_a_resource_that_an_answer_shows_as_failed_is_read() -> None:
    assert is_read(shown("Failed"))
    assert is_read(f'{{"value": [{shown("Failed")}]}}')


def test_a_resource_that_recovered_in_a_later_answer_is_not_read() -> None:
    assert not is_read(shown("Failed"), shown("Succeeded"))
    assert not is_read(shown("Updating"))


def test_a_log_cut_off_anywhere_is_survived() -> None:
    text = START + exchange("PUT", CLUSTER, 400, QUOTA) + ERROR
    for end in range(0, len(text), 37):
        assert made(text[:end], "az.log").not_understood == []


def test_an_answer_that_was_pasted_without_its_request_is_read() -> None:
    found = made(f"{P} Response content:\n{P} {QUOTA}\n", "az.log")
    assert "QuotaExceeded" in found.logs[0][0]


def test_an_error_of_the_client_itself_is_read() -> None:
    told = "cli.azure.cli.core.azclierror: Could not create a role assignment for ACR.\n"
    found = read(exchange("GET", CLUSTER, 200, "{}"), told)
    assert "role assignment" in found.logs[0][0]


def test_an_error_of_the_client_is_read_to_its_last_line() -> None:
    told = 'cli.azure.cli.core.azclierror: (BadRequest) denied: {\n  "message": "no address"\n}\n'
    end = "az_command_data_logger: no more\n"
    found = read(exchange("GET", CLUSTER, 200, "{}"), told, end)
    assert "no address" in found.logs[0][0]
    assert "no more" not in found.logs[0][0]


def test_a_logger_that_speaks_of_an_error_is_not_the_end() -> None:
    answer = f"DEBUG: {P} Response content:\nDEBUG: {P} {{\n  broken\n"
    told = "ERROR: cli.azure.cli.core.azclierror: (QuotaExceeded) Subn\n"
    found = made(answer + told, "az.log")
    assert "QuotaExceeded" in found.logs[0][0]
