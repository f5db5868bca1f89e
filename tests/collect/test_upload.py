"""A bundle is stored in the container that a signed URL names, and its signature stays unsaid."""

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from azure.storage.blob import BlobServiceClient, ContainerSasPermissions, generate_container_sas
from tests.once import alone, cache

from sickbay.collect.upload import check, upload
from sickbay.errors import SickbayError

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

FOLDER = cache() / "azurite"
AZURITE = FOLDER / "node_modules" / ".bin" / "azurite-blob"
ACCOUNT = "devstoreaccount1"
# The key that every Azurite has.
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
needs_azurite = pytest.mark.skipif(
    not AZURITE.exists(),
    reason="Azurite is not here; SICKBAY_TEST_ALL=1 gets it with npm, and runs this",
)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def azurite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A storage account on this machine."""
    with alone(FOLDER.name):
        if not AZURITE.exists():
            npm = shutil.which("npm")
            assert npm, "npm is needed to get Azurite"
            FOLDER.mkdir(parents=True, exist_ok=True)
            got = ("install", "--no-audit", "--no-fund", "azurite")
            subprocess.run([npm, *got], cwd=FOLDER, check=True)
    port = free_port()
    folder = tmp_path_factory.mktemp("azurite")
    options = ["--silent", "--skipApiVersionCheck", "--disableTelemetry", "--location", str(folder)]
    argv = [str(AZURITE), *options, "--blobHost", "127.0.0.1", "--blobPort", str(port)]
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL) as process:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}/{ACCOUNT}"
        process.terminate()


def _wait_for(port: int) -> None:
    for _ in range(300):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("Azurite did not start")


@pytest.fixture
def container(azurite: str, request: pytest.FixtureRequest) -> str:
    """The signed URL of an empty container."""
    name = f"c{abs(hash(request.node.name)) % 10**12}"
    with BlobServiceClient(azurite, credential=KEY) as service:
        service.create_container(name).close()
    until = datetime.now(UTC) + timedelta(hours=1)
    rights = ContainerSasPermissions(create=True, write=True)
    signature = generate_container_sas(ACCOUNT, name, KEY, permission=rights, expiry=until)
    return f"{azurite}/{name}?{signature}"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "case.sickbay"
    path.write_bytes(b"evidence" * 1000)
    return path


@needs_azurite
def test_a_bundle_is_stored_under_its_name(container: str, bundle: Path) -> None:
    place = upload(str(bundle), container, bundle.name)
    assert place == f"{container.partition('?')[0]}/case.sickbay"
    base, _, name = container.partition("?")[0].rpartition("/")
    with (
        BlobServiceClient(base, credential=KEY) as service,
        service.get_blob_client(name, "case.sickbay") as blob,
    ):
        assert blob.download_blob().readall() == bundle.read_bytes()


@needs_azurite
def test_nothing_that_is_there_is_overwritten(container: str, bundle: Path) -> None:
    upload(str(bundle), container, bundle.name)
    with pytest.raises(SickbayError, match="is there already"):
        upload(str(bundle), container, bundle.name)


@needs_azurite
def test_a_refusal_does_not_tell_the_signature(container: str, bundle: Path) -> None:
    place, _, query = container.partition("?")
    wrong = query.replace("sig=", "sig=AAAA")
    with pytest.raises(SickbayError, match="was refused") as error:
        upload(str(bundle), f"{place}?{wrong}", bundle.name)
    assert "sig" not in str(error.value)


def test_a_server_that_is_not_there_does_not_tell_the_signature(bundle: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}/account/box?sv=1&sig=verysecret"
    with pytest.raises(SickbayError) as error:
        upload(str(bundle), url, bundle.name)
    assert "verysecret" not in str(error.value)


@pytest.mark.parametrize(
    "url",
    [
        "box",
        "https://a.blob.core.windows.net",
        "https://a.blob.core.windows.net/box?sv=1",
        "ftp://a/b",
    ],
)
def test_what_is_no_signed_url_of_a_container_is_told_at_once(url: str) -> None:
    with pytest.raises(SickbayError, match=r"az storage container generate-sas"):
        check(url)


@needs_azurite
def test_the_program_stores_what_it_collected_and_says_where(
    container: str, tmp_path: Path
) -> None:
    evidence = tmp_path / "error.txt"
    evidence.write_text("Code: SubnetIsFull Message: Subnet nodes has no free addresses left.\n")
    to = tmp_path / "case.sickbay"
    argv = [sys.executable, "-m", "sickbay", "collect", "--from", str(evidence), "--to", str(to)]
    done = subprocess.run([*argv, "--upload", container, "-v"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    place, _, signature = container.partition("?")
    assert f"stored as {place}/case.sickbay" in done.stdout.decode()
    assert signature.encode() not in done.stdout + done.stderr
    assert b"sig=" not in done.stdout + done.stderr
