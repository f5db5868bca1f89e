"""The console of a machine in the lab: behind a signed link, which no bundle keeps."""

from pathlib import Path

import pytest
import zstandard
from ask import Azure  # type: ignore[import-not-found]
from live import expected, saved  # type: ignore[import-not-found]

from sickbay.lab.answers import Asked
from sickbay.lab.place import guid
from sickbay.lab.server import running

WORLD = "aks-kernel-panic"
SETS = "@MC_shop_prod_westeurope/Microsoft.Compute/virtualMachineScaleSets"
MACHINE = f"{SETS}/aks-apps-31415926-vmss/virtualMachines/1"


def test_storage_takes_the_signature_and_no_token() -> None:
    azure = Azure(WORLD)
    reply = azure.ask("POST", f"{MACHINE}/retrieveBootDiagnosticsData")
    link = str(reply.body["serialConsoleLogBlobUri"])
    path, _, words = link.partition("?")
    path = "/" + path.split("/", 3)[3]
    signed = dict(word.split("=", 1) for word in words.split("&"))

    def status(query: dict[str, str], headers: dict[str, str]) -> int:
        asked = Asked("GET", path, query, None, headers, "https://localhost")
        return int(azure.simulated.answer(asked).status)

    assert status(signed, {}) == 200
    assert status({**signed, "sig": "x"}, {}) == 403
    assert status(signed, {"authorization": "Bearer lab"}) == 403


@pytest.mark.allow_hosts(["127.0.0.1", "::1"])
@pytest.mark.usefixtures("rules")
def test_a_bundle_keeps_the_log_and_not_the_key(tmp_path: Path) -> None:
    with running(WORLD) as lab:
        saved(lab, expected()[WORLD]["target"], tmp_path)
        key = guid("signature", lab.estate.place.id(MACHINE))
    with (tmp_path / "case.sickbay").open("rb") as bundle:
        whole = zstandard.ZstdDecompressor().stream_reader(bundle).read()
    assert b"not syncing" in whole
    assert key.encode() not in whole
    assert b"sig=" not in whole
