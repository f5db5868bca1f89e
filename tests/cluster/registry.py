"""Real registries for pulls: one open and one that wants a password, with one image in each."""

import json
import subprocess

from tests.cluster.images import Image, digest, shell
from tests.cluster.layout import Layout
from tests.cluster.processes import start, succeeds, wait_for

IMAGE = "team/web:1"
USER, PASSWORD = "puller", "open-sesame"
# What `htpasswd -B` makes of them.
_LINE = "puller:$2y$05$abcdefghijklmnopqrstuutXu9KzOt.1yBoZUeFWoT/914/JfszCO\n"
_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
_CONFIG = "application/vnd.docker.container.image.v1+json"
_LAYER = "application/vnd.docker.image.rootfs.diff.tar"


def start_registries(layout: Layout) -> None:
    """Start both, and put the image into each."""
    for name in ("registry", "locked"):
        address = layout.registries[f"{name}.contoso.test"]
        settings = layout.state / f"{name}.json"
        settings.write_text(json.dumps(_settings(layout, name, address)))
        start(layout, name, ("docker-registry", "serve", str(settings)))
        alive = ("curl", "-s", "-o", "/dev/null", f"http://{address}/v2/")
        wait_for(f"the registry {name} answers", lambda alive=alive: succeeds(alive))  # type: ignore[misc]
        push(address, IMAGE, shell(IMAGE))


def push(address: str, name: str, image: Image) -> None:
    """Put an image into a registry under a name and tag."""
    repository, _, tag = name.partition(":")
    layer = image.layer
    config = image.config(layer)
    for data in (layer, config):
        _upload(address, repository, data)
    manifest = {
        "schemaVersion": 2,
        "mediaType": _MANIFEST,
        "config": {"mediaType": _CONFIG, "size": len(config), "digest": digest(config)},
        "layers": [{"mediaType": _LAYER, "size": len(layer), "digest": digest(layer)}],
    }
    url = f"http://{address}/v2/{repository}/manifests/{tag}"
    _send("PUT", url, json.dumps(manifest).encode(), _MANIFEST)


def _settings(layout: Layout, name: str, address: str) -> dict[str, object]:
    whole: dict[str, object] = {
        "version": 0.1,
        "log": {"level": "info"},
        "storage": {"filesystem": {"rootdirectory": str(layout.state / f"{name}-data")}},
        "http": {"addr": address},
    }
    if name == "locked":
        accounts = layout.state / "accounts"
        accounts.write_text(_LINE)
        whole["auth"] = {"htpasswd": {"realm": "contoso", "path": str(accounts)}}
    return whole


def _upload(address: str, repository: str, data: bytes) -> None:
    location = _send("POST", f"http://{address}/v2/{repository}/blobs/uploads/")
    mark = "&" if "?" in location else "?"
    _send("PUT", f"{location}{mark}digest={digest(data)}", data, "application/octet-stream")


def _send(method: str, url: str, data: bytes = b"", kind: str = "") -> str:
    """Send, and give the address at which the registry wants to go on."""
    # By a program, because tests open no sockets themselves.
    curl = ("curl", "-sSf", "-X", method, "-u", f"{USER}:{PASSWORD}", "-D", "-", "-o", "/dev/null")
    # No wait for "100 Continue", which this registry does not say.
    headers = ("-H", "Expect:", "-H", f"Content-Type: {kind}")
    body = ("--data-binary", "@-")
    done = subprocess.run(
        [*curl, *headers, *body, url], input=data, capture_output=True, check=True
    )
    for line in done.stdout.decode().splitlines():
        name, _, value = line.partition(":")
        if name.lower() == "location":
            return value.strip()
    return ""
