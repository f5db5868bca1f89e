"""Who asks an API server: programs that give a credential, and client certificates."""

import json
import stat
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from kube_server import Api, Authority, Served, serving  # type: ignore[import-not-found]
from test_kube_client import asked, get  # type: ignore[import-not-found]

from sickbay.collect.kube_answers import Answer, Failure
from sickbay.collect.kube_client import Client
from sickbay.errors import SickbayError

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(Api()) as made:
        yield made


def plugin(folder: Path, body: str, **more: Any) -> dict[str, Any]:
    """A user who signs in by a program, a real one."""
    script = folder / "login"
    script.write_text(f"#!{sys.executable}\nimport json, os, sys\n{body}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return {"exec": {"command": "./login", "apiVersion": "client.authentication.k8s.io/v1", **more}}


GIVES = """
n = len(open("{count}", "a+").read() + open("{count}").read())
open("{count}", "a").write("x")
info = json.loads(os.environ["KUBERNETES_EXEC_INFO"])
status = {{"token": ["old", "good"][min(n, 1)] if {renews} else "good"{more}}}
print(json.dumps({{"apiVersion": info["apiVersion"], "kind": "ExecCredential", "status": status}}))
"""


def giving(folder: Path, *, renews: bool = False, more: str = "") -> tuple[str, Path]:
    count = folder / "count"
    return GIVES.format(count=count, renews=renews, more=more), count


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_a_plugin_gives_the_token_once(served: Served, tmp_path: Path, version: str) -> None:
    body, count = giving(tmp_path)
    user = plugin(tmp_path, body, apiVersion=f"client.authentication.k8s.io/{version}")
    path = served.config(tmp_path, user=user)

    async def twice(client: Client) -> list[Any]:
        return [await client.get("/api/v1/pods?limit=1") for _ in range(2)]

    assert all(isinstance(one, Answer) for one in asked(path, twice))
    assert count.read_text() == "x"


def test_a_token_that_is_refused_is_renewed_once(served: Served, tmp_path: Path) -> None:
    body, count = giving(tmp_path, renews=True)
    assert isinstance(get(served.config(tmp_path, user=plugin(tmp_path, body))), Answer)
    assert count.read_text() == "xx"


def test_a_plugin_whose_token_stays_refused_is_not_asked_for_ever(
    served: Served, tmp_path: Path
) -> None:
    served.api.tokens = {"another"}
    body, count = giving(tmp_path)
    found = get(served.config(tmp_path, user=plugin(tmp_path, body)))
    assert isinstance(found, Failure)
    assert (found.status, count.read_text()) == (401, "xx")


def test_a_token_that_expires_is_renewed_before_it_is_used(served: Served, tmp_path: Path) -> None:
    end = (datetime.now(UTC) + timedelta(seconds=5)).strftime("%Y-%m-%dT%H:%M:%SZ")
    body, count = giving(tmp_path, more=f', "expirationTimestamp": "{end}"')
    path = served.config(tmp_path, user=plugin(tmp_path, body))

    async def twice(client: Client) -> None:
        for _ in range(2):
            await client.get("/api/v1/pods?limit=1")

    asked(path, twice)
    assert len(count.read_text()) >= 2


def test_a_plugin_is_told_of_the_cluster_when_it_asks(served: Served, tmp_path: Path) -> None:
    body = f"""
open({str(tmp_path / "info")!r}, "w").write(os.environ["KUBERNETES_EXEC_INFO"])
print(json.dumps({{"status": {{"token": "good"}}}}))
"""
    get(served.config(tmp_path, user=plugin(tmp_path, body, provideClusterInfo=True)))
    told = json.loads((tmp_path / "info").read_text())
    assert told["spec"]["interactive"] is False
    assert told["spec"]["cluster"]["server"] == served.url


@pytest.mark.parametrize(
    ("body", "more", "says"),
    [
        ("sys.exit('AADSTS70043: sign in')", {}, "exit code 1.*AADSTS70043"),
        ("print('eyJ-not-json')", {}, "printed no credential"),
        ("print('{\"status\": {}}')", {}, "empty credential"),
        ("", {"interactiveMode": "Always"}, "must ask you"),
        ("", {"apiVersion": "client.authentication.k8s.io/v1alpha1"}, "not supported"),
        ("", {"command": "no-such-login", "installHint": "winget install it"}, "winget install it"),
    ],
)
def test_a_plugin_that_gives_nothing_is_one_clear_line(
    served: Served, tmp_path: Path, body: str, more: dict[str, Any], says: str
) -> None:
    with pytest.raises(SickbayError, match=says) as told:
        get(served.config(tmp_path, user=plugin(tmp_path, body, **more)))
    assert "eyJ" not in str(told.value)


def files_of(certificate: bytes) -> list[Path]:
    """Files of the temporary folder that hold a certificate, and so its key."""
    folder = Path(tempfile.gettempdir())
    files = [one for one in folder.glob(".sickbay-*") if one.is_file()]
    return [one for one in files if certificate.rstrip() in one.read_bytes()]


def test_a_client_certificate_is_shown_and_its_key_left_nowhere(tmp_path: Path) -> None:
    people = Authority("people")
    certificate, key = people.pair("sam")
    (tmp_path / "sam.crt").write_bytes(certificate)
    (tmp_path / "sam.key").write_bytes(key)
    user = {"token": "good", "client-certificate": "sam.crt", "client-key": "sam.key"}
    with serving(Api(), client_authority=people) as served:
        assert isinstance(get(served.config(tmp_path, user=user)), Answer)
    assert files_of(certificate) == []


def test_a_certificate_of_a_plugin_is_shown(tmp_path: Path) -> None:
    people = Authority("people")
    certificate, key = people.pair("sam")
    given = {
        "token": "good",
        "clientCertificateData": certificate.decode(),
        "clientKeyData": key.decode(),
    }
    user = plugin(tmp_path, f"print(json.dumps({{'status': {given!r}}}))")
    with serving(Api(), client_authority=people) as served:
        assert isinstance(get(served.config(tmp_path, user=user)), Answer)
