"""A live run, and what it is worth: the same as one over what it collected, and no secret in it."""

import json
import tarfile
from pathlib import Path

import pytest
import zstandard
from tests.appliance.world import PASSWORD, World

pytestmark = pytest.mark.usefixtures("rules")
LOGIN = ("--ssh-user", "root")


def content(bundle: Path) -> str:
    data = bundle.read_bytes()
    if data[:4] == b"\x28\xb5\x2f\xfd":
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
        bundle = bundle.with_suffix(".tar")
        bundle.write_bytes(data)
    with tarfile.open(bundle) as archive:
        files = [archive.extractfile(member) for member in archive.getmembers()]
        return "".join(file.read().decode() for file in files if file)


def test_a_bundle_says_what_the_live_run_said_and_holds_no_secret(
    healthy: World, tmp_path: Path
) -> None:
    (healthy.logs / "kva.log").write_text(f"2026-11-17T10:00:00Z INFO password: {PASSWORD}\n")
    proxy = "http://arc:quill-Tarn-55@10.77.0.31:8888"
    folder = healthy.files("secret", proxy)
    healthy.machines.stop("servers-vm")
    bundle = tmp_path / "case.sickbay"
    try:
        words = ("--appliance", str(folder), *LOGIN, "--ca-file", str(healthy.ca.path))
        live = healthy.diagnosed(folder)
        done = healthy.sickbay("collect", *words, "--to", str(bundle))
    finally:
        healthy.api_server()
    assert done.returncode == 0, done.stderr
    saved = json.loads(healthy.sickbay("diagnose", "--from", str(bundle), "-o", "json").stdout)
    told = [[(one["rule"], one["says"]) for one in found["causes"]] for found in (live, saved)]
    assert told[0] == told[1]
    assert told[0][0][0] == "arc.control_plane_not_serving"
    text = content(bundle)
    assert "plant" in text
    key = healthy.key.read_text().splitlines()[2]
    for secret in (PASSWORD, "quill-Tarn-55", key):
        assert secret not in text + json.dumps(live) + done.stdout + done.stderr


def test_a_dry_run_names_what_would_be_read_and_reads_nothing(healthy: World) -> None:
    done = healthy.sickbay("collect", "--appliance", str(healthy.config), "--dry-run")
    assert done.returncode == 0, done.stderr
    for word in ("plant-infra.yaml", "10.77.0.21", "vc01.contoso.com", "mcr.microsoft.com"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "holds no file that ends in infra.yaml"),
        ({"a-infra.yaml": "x", "b-infra.yaml": "x"}, "holds the files of several bridges"),
        ({"a-infra.yaml": "["}, "cannot be read"),
        ({"a-infra.yaml": "- 1"}, "holds no settings"),
    ],
)
def test_a_folder_that_is_no_bridge_ends_in_one_clear_line(
    world: World, tmp_path: Path, files: dict[str, str], words: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = world.sickbay("diagnose", "--appliance", str(tmp_path))
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
