"""The management machine: its programs, its leftovers, and its proxies, on every system."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.appliance.certificates import Authority
from tests.appliance.fakes import machine

from sickbay.collect.host_certificates import trusting
from sickbay.collect.host_net import any_answer, is_address, ping_command, pinged
from sickbay.collect.host_proxies import is_exempt, proxy_address, proxy_for, shown
from sickbay.collect.host_state import state_of
from sickbay.collect.host_told import Told
from sickbay.errors import SickbayError
from sickbay.model.probe import Result

NOW = datetime(2026, 11, 17, tzinfo=UTC)
VERSION = '{"azure-cli": "2.60.0", "extensions": {"arcappliance": "1.1.0"}}'
WIDE = "Python (Windows) 3.11.8 (tags/v3.11.8) [MSC v.1937 64 bit (AMD64)]"
NARROW = "Python (Windows) 3.11.8 (tags/v3.11.8) [MSC v.1937 32 bit (Intel)]"


def state(*words: Any, **named: Any) -> dict[str, Any]:
    return asyncio.run(state_of(machine(*words, **named), NOW))


@pytest.mark.parametrize(("words", "bits"), [(WIDE, 64), (NARROW, 32)])
def test_the_width_of_the_cli_is_read_on_windows(tmp_path: Path, words: str, bits: int) -> None:
    programs = {"az.cmd version": (0, VERSION), "az.cmd --version": (0, words)}
    found = state(tmp_path, "windows", programs)["command_line"]
    assert (found.version, found.bits, found.extensions) == (
        "2.60.0",
        bits,
        {"arcappliance": "1.1.0"},
    )


def test_the_width_is_asked_of_its_python_where_its_words_do_not_tell(tmp_path: Path) -> None:
    programs = {
        "az version": (0, VERSION),
        "az --version": (0, "azure-cli 2.60.0\n\nPython location '/opt/az/bin/python3'\n"),
        "/opt/az/bin/python3 -c": (0, "64\n"),
    }
    assert state(tmp_path, "linux", programs)["command_line"].bits == 64


def test_a_machine_without_a_cli_says_so(tmp_path: Path) -> None:
    assert state(tmp_path)["command_line"] is None


def test_a_cli_that_prints_warnings_before_its_json_is_understood(tmp_path: Path) -> None:
    programs = {"az version": (0, f"WARNING: an update is available\n{VERSION}")}
    assert state(tmp_path, "linux", programs)["command_line"].version == "2.60.0"


@pytest.mark.parametrize(
    ("parents", "is_remote"),
    [("python.exe\nwsmprovhost.exe\nsvchost.exe\n", True), ("python.exe\nexplorer.exe\n", False)],
)
def test_a_remote_session_is_known_by_its_host(
    tmp_path: Path, parents: str, is_remote: bool
) -> None:
    found = state(tmp_path, "windows", {"powershell": (0, parents)})
    assert found["is_remote_session"] is is_remote


def test_a_session_that_cannot_be_told_is_not_called_local(tmp_path: Path) -> None:
    assert state(tmp_path, "windows")["is_remote_session"] is None


def test_kubelogin_is_wanted_only_by_a_kubeconfig_that_names_it(tmp_path: Path) -> None:
    (tmp_path / ".kube").mkdir()
    config = tmp_path / ".kube/config"
    config.write_text("users:\n- user:\n    exec:\n      command: kubelogin\n")
    assert state(tmp_path)["wants_kubelogin"] is True
    config.write_text("users:\n- user:\n    token: abc\n")
    assert state(tmp_path)["wants_kubelogin"] is False
    config.unlink()
    assert state(tmp_path)["wants_kubelogin"] is None


@pytest.mark.parametrize(("days", "is_expired"), [(-2, True), (20, False)])
def test_credentials_that_were_left_are_read_for_their_end_alone(
    tmp_path: Path, days: int, is_expired: bool
) -> None:
    folder = tmp_path / ".wssd/python"
    folder.mkdir(parents=True)
    certificate, key = Authority(tmp_path, "Contoso CA").sign("login", ["x"], days)
    (folder / "cloudconfig").write_bytes(certificate.read_bytes() + key.read_bytes())
    real = asyncio.run(state_of(machine(tmp_path)))["cached_logins"]
    assert [(one.folder, one.is_expired) for one in real] == [(".wssd/python", is_expired)]
    assert "PRIVATE" not in repr(real)


def test_proxy_variables_are_noted_without_their_credentials(tmp_path: Path) -> None:
    variables = {"https_proxy": "http://arc:hush@proxy:3128", "NO_PROXY": "10.0.0.0/8"}
    found = state(tmp_path, **variables)["proxy_variables"]
    assert found == {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "10.0.0.0/8"}


@pytest.mark.parametrize(
    ("system", "wanted"),
    [
        ("linux", "ping -n -c 1 -W 2 10.0.0.1"),
        ("darwin", "ping -n -c 1 -t 2 10.0.0.1"),
        ("windows", "ping -n 1 -w 2000 10.0.0.1"),
    ],
)
def test_a_ping_is_spelt_as_the_system_wants_it(system: str, wanted: str) -> None:
    assert " ".join(ping_command(system, "10.0.0.1")) == wanted


def test_a_ping_on_windows_that_a_router_answered_is_no_answer() -> None:
    out = "Reply from 10.0.0.254: Destination host unreachable."
    assert pinged("windows", 0, out).result is Result.UNREACHABLE
    assert pinged("windows", 0, "Reply from 10.0.0.1: bytes=32 time<1ms TTL=64").is_ok
    assert pinged("linux", 1, "").result is Result.SILENT


def test_a_closed_port_is_an_answer_and_silence_is_none() -> None:
    silent, closed = Told(Result.SILENT), Told(Result.REFUSED)
    assert any_answer([silent, closed]).is_ok
    assert any_answer([silent, Told(Result.TIMED_OUT)]).result is Result.TIMED_OUT
    assert any_answer([silent, Told(Result.UNREACHABLE)]).result is Result.UNREACHABLE


@pytest.mark.parametrize(
    ("host", "no_proxy", "is_direct"),
    [
        ("vc01.contoso.com", ".contoso.com", True),
        ("vc01.contoso.com", "*.contoso.com", True),
        ("contoso.com", "contoso.com", True),
        ("notcontoso.com", "contoso.com", False),
        ("10.1.2.3", "localhost, 10.0.0.0/8", True),
        ("11.1.2.3", "10.0.0.0/8", False),
        ("mcr.microsoft.com", "*", True),
        ("mcr.microsoft.com", "", False),
    ],
)
def test_who_is_exempt_from_the_proxy(host: str, no_proxy: str, is_direct: bool) -> None:
    assert is_exempt(host, no_proxy) is is_direct
    found = proxy_for(host, {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": no_proxy})
    assert (found is None) is is_direct


def test_a_proxy_never_shows_who_logs_in() -> None:
    proxy = proxy_address("http://arc:hu%40sh@proxy.contoso.com:3128")
    assert proxy
    assert (proxy.user, proxy.password) == ("arc", "hu@sh")
    assert "hu" not in repr(proxy) + proxy.shown
    assert shown("http://http://proxy:3128") == "no URL of a proxy"


def test_addresses_are_told_from_names() -> None:
    assert is_address("10.0.0.1")
    assert is_address("fd00::1")
    assert not is_address("vc01.contoso.com")


def test_a_file_without_certificates_ends_in_one_clear_line(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("nothing")
    for path in (wrong, tmp_path / "absent.pem"):
        with pytest.raises(SickbayError, match="cannot be trusted"):
            trusting(str(path))
