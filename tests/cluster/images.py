"""Container images from static programs, as archives that containerd imports without a registry."""

import hashlib
import io
import json
import shutil
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

APPLETS = (
    "sh ls cat sleep echo wget nc nslookup ping true false dd head tail grep tr ps env date sync "
    "top vi ip id touch rm mkdir chmod chown kill printf seq test hostname ulimit httpd stat"
).split()
_FOLDERS = ("bin", "tmp", "etc", "var", "var/run")
_ACCOUNTS = b"root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n"
# Where an ELF file says for which processor it is, and what stands there for ARM of 64 bits.
_MACHINE, _ARM64 = slice(18, 20), b"\xb7\x00"


@dataclass(frozen=True)
class Image:
    """What an image is made of: programs by their path in it, and names that point to one."""

    name: str
    entrypoint: tuple[str, ...]
    files: dict[str, bytes]
    links: dict[str, str] = field(default_factory=dict)
    user: str = ""

    @property
    def layer(self) -> bytes:
        held = io.BytesIO()
        with tarfile.open(fileobj=held, mode="w") as tar:
            for name in _FOLDERS:
                folder = tarfile.TarInfo(name)
                folder.type, folder.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp" else 0o755
                tar.addfile(folder)
            for path, data in ({"etc/passwd": _ACCOUNTS} | self.files).items():
                file = tarfile.TarInfo(path)
                file.size, file.mode = len(data), 0o755
                tar.addfile(file, io.BytesIO(data))
            for path, target in self.links.items():
                link = tarfile.TarInfo(path)
                link.type, link.linkname = tarfile.SYMTYPE, target
                tar.addfile(link)
        return held.getvalue()

    def config(self, layer: bytes) -> bytes:
        run = {"Entrypoint": self.entrypoint, "Env": ["PATH=/bin"], "User": self.user}
        rootfs = {"type": "layers", "diff_ids": [digest(layer)]}
        whole = {"architecture": "amd64", "os": "linux", "config": run, "rootfs": rootfs}
        return json.dumps({**whole, "history": [{}]}).encode()

    def write(self, path: Path) -> None:
        """Write the archive that `ctr images import` reads."""
        layer = self.layer
        config = self.config(layer)
        name = digest(config).removeprefix("sha256:") + ".json"
        manifest = [{"Config": name, "RepoTags": [self.name], "Layers": ["layer.tar"]}]
        parts = {name: config, "layer.tar": layer, "manifest.json": json.dumps(manifest).encode()}
        with tarfile.open(path, "w") as tar:
            for part, data in parts.items():
                info = tarfile.TarInfo(part)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def shell(name: str, entrypoint: Iterable[str] = ("/bin/sh",), **programs: bytes) -> Image:
    """An image with a shell and its small programs, and more programs at its root."""
    found = shutil.which("busybox")
    if not found:
        raise FileNotFoundError("busybox")
    files = {"bin/busybox": Path(found).read_bytes()} | programs
    return Image(name, tuple(entrypoint), files, {f"bin/{name}": "busybox" for name in APPLETS})


def make_images(programs_in: Path, folder: Path) -> None:
    """Pack the programs of one folder into archives in another."""
    folder.mkdir(exist_ok=True)
    wanted = ("pause", "coredns", "agnhost", "kubectl")
    programs = {name: (programs_in / name).read_bytes() for name in wanted}
    foreign = bytearray(programs["pause"])
    foreign[_MACHINE] = _ARM64
    images = (
        Image("localhost/pause:1", ("/pause",), {"pause": programs["pause"]}),
        Image("localhost/coredns:1", ("/coredns",), {"coredns": programs["coredns"]}),
        # For a node of another processor: the kernel here refuses to run it.
        Image("localhost/foreign:1", ("/pause",), {"pause": bytes(foreign)}),
        shell("localhost/busybox:1"),
        shell("localhost/agnhost:1", ("/agnhost",), agnhost=programs["agnhost"]),
        shell("localhost/kubectl:1", ("/kubectl",), kubectl=programs["kubectl"]),
    )
    for image in images:
        name = image.name.removeprefix("localhost/").partition(":")[0]
        image.write(folder / f"{name}.tar")
