"""The table of bootstrap exit codes, and the patterns made of it."""

import re2

from sickbay.model.cse import LINUX, WINDOWS, Ending, printed


def matched(ending: Ending, text: str) -> bool:
    return re2.search(printed(ending), text) is not None


def test_a_code_stands_once_in_its_table() -> None:
    assert len({exit.code for exit in LINUX}) == len(LINUX)
    assert len({exit.code for exit in WINDOWS}) == len(WINDOWS)


def test_every_ending_is_reached_by_a_linux_code() -> None:
    assert {exit.ending for exit in LINUX} == set(Ending)


def test_an_exit_status_is_read_as_a_whole_number() -> None:
    assert matched(Ending.OUTBOUND, "command terminated with exit status=50 [stdout]")
    assert not matched(Ending.OUTBOUND, "command terminated with exit status=500 [stdout]")


def test_the_exit_code_inside_the_output_counts() -> None:
    assert matched(Ending.API_SERVER, "ExitCode=51: Connection to the API server failed")


def test_an_exit_code_of_one_digit_counts_only_in_the_words_of_the_extension() -> None:
    assert matched(Ending.DOWNLOAD, "vmssCSE exit status=9, output=apt")
    assert not matched(Ending.DOWNLOAD, "ExitCode=9: killed")


def test_windows_prints_the_name() -> None:
    assert matched(
        Ending.API_SERVER,
        "ExitCode: |5|, Output: |WINDOWS_CSE_ERROR_CHECK_API_SERVER_CONNECTIVITY|",
    )


def test_a_traced_script_that_only_sets_its_constants_has_not_failed() -> None:
    assert not matched(
        Ending.OUTBOUND, "+ ERR_OUTBOUND_CONN_FAIL=50 + nc -vz mcr.microsoft.com 443"
    )
