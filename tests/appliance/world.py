"""A resource bridge and all that it needs, in network namespaces, with real servers."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.appliance.building import vcsim
from tests.appliance.certificates import Authority
from tests.appliance.namespaces import SUBNET, Machines, run, tag

from sickbay.network.appliance_urls import APPLIANCE, MACHINE, required_urls
from sickbay.store import cache_folder

HERE = Path(__file__).parent
REGION = "westeurope"
VCENTER = "vc01.contoso.com"
# One URL has an address of its own, so that it alone can be blocked.
ALONE = "msk8s.sb.tlu.dl.delivery.mp.microsoft.com"
URLS = sorted(
    {row.host for place in (MACHINE, APPLIANCE) for row in required_urls(place, "vsphere", REGION)}
)
ADDRESSES = {
    "mgmt": (9,),
    "vm": (21, 20),
    "vc": (5,),
    "dns": (53, 54, 55),
    "web": (80, 81, 82),
    "proxy": (31,),
}
VM, PLANE, VC, WEB, WEB_ALONE, INSPECTED = (f"{SUBNET}.{n}" for n in (21, 20, 5, 80, 81, 82))
PROXY = f"http://{SUBNET}.31:8888"
APPLIANCE_DNS, MACHINE_DNS, PROXY_DNS = 53, 54, 55
PASSWORD = "kestrel-Umbra-7781"  # noqa: S105 - it must never be seen in any output
METRICS = "\n".join(
    f'etcd_disk_wal_fsync_duration_seconds_bucket{{le="{bound}"}} {count}'
    for bound, count in (("0.001", 50), ("0.002", 900), ("0.004", 1000), ("+Inf", 1000))
)


@dataclass
class World:
    """Everything that stands, and how it is broken and mended."""

    folder: Path
    machines: Machines = field(default_factory=lambda: Machines(tag()))

    def up(self) -> None:
        self.ca = Authority(self.folder, "Contoso Root CA")
        self.inspector = Authority(self.folder, "Contoso Inspection CA")
        self.machines.up(ADDRESSES)
        self.machines.resolver("mgmt", f"{SUBNET}.{MACHINE_DNS}")
        self.machines.resolver("vm", f"{SUBNET}.{APPLIANCE_DNS}")
        self.machines.resolver("proxy", f"{SUBNET}.{PROXY_DNS}")
        for number in (APPLIANCE_DNS, MACHINE_DNS, PROXY_DNS):
            self.dns(number)
        pair = [str(path) for path in self.ca.sign("azure", URLS)]
        other = [str(path) for path in self.inspector.sign("inspected", URLS)]
        self.serve("web", {"https": [[WEB, *pair], [WEB_ALONE, *pair], [INSPECTED, *other]]})
        self.api_server()
        self.vcenter()
        self.keys()
        self.ssh()
        self.proxy()
        self.config = self.files("plain")

    def down(self) -> None:
        self.machines.down()

    def serve(self, machine: str, spec: dict[str, Any]) -> None:
        script = str(HERE / "servers.py")
        words = (sys.executable, script, json.dumps(spec))
        self.machines.start(f"servers-{machine}", machine, *words, says="ready")

    def api_server(self) -> None:
        self.serve("vm", {"tcp": [["0.0.0.0", 6443]], "http": [["127.0.0.1", 2381, METRICS]]})  # noqa: S104

    def dns(self, number: int, *, without: tuple[str, ...] = (), **moved: str) -> None:
        """A DNS server that knows all names, but for some, and some elsewhere."""
        known = dict.fromkeys(URLS, WEB) | {ALONE: WEB_ALONE, VCENTER: VC}
        known |= {name.replace("_", "."): address for name, address in moved.items()}
        records = [
            f"--host-record={name},{address}"
            for name, address in known.items()
            if name not in without
        ]
        words = ("dnsmasq", "-k", "--no-resolv", "--no-hosts", "--user=root", "--pid-file=")
        listen = ("--conf-file=/dev/null", f"--listen-address={SUBNET}.{number}")
        zones = ("--local=/com/", "--local=/net/", "--local=/io/", "--log-facility=-")
        self.machines.start(
            f"dns-{number}", "dns", *words, *listen, "--bind-interfaces", *zones, *records,
            says="started",
        )  # fmt: skip

    def vcenter(self, *flags: str) -> None:
        certificate, key = self.ca.sign("vcenter", [VCENTER])
        where = ("-listen", f"{VC}:443", "-cert", str(certificate), "-key", str(key))
        self.machines.start("vcenter", "vc", str(vcsim()), *where, *flags, says="443")

    def keys(self) -> None:
        self.home = self.folder / "home"
        (self.home / ".KVA/.ssh").mkdir(parents=True)
        self.key = self.home / ".KVA/.ssh/logkey"
        for path in (self.key, self.folder / "host_key"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path))
        self.logs = self.folder / "log"
        self.logs.mkdir()
        (self.logs / "kva.log").write_text("2026-11-17T10:00:00Z INFO appliance is deployed\n")

    def ssh(self, *, knows: bool = True) -> None:
        """The SSH server of the VM, with logs of its own below /var/log."""
        keys = self.folder / "authorized_keys"
        keys.write_text(self.key.with_suffix(".pub").read_text() if knows else "")
        keys.chmod(0o600)
        config = self.folder / "sshd_config"
        config.write_text(
            f"Port 22\nListenAddress {VM}\nHostKey {self.folder}/host_key\n"
            f"AuthorizedKeysFile {keys}\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n"
            f"PasswordAuthentication no\nPidFile none\nSetEnv CURL_CA_BUNDLE={self.ca.path}\n"
        )
        Path("/run/sshd").mkdir(exist_ok=True)
        script = f"mount --bind {self.logs} /var/log && exec /usr/sbin/sshd -D -e -f {config}"
        words = ("unshare", "-m", "sh", "-c", script)
        self.machines.start("ssh", "vm", *words, says="listening")

    def proxy(self, *lines: str) -> None:
        config = self.folder / "tinyproxy.conf"
        basics = (f"Port 8888\nListen {SUBNET}.31\nAllow {SUBNET}.0/24\nConnectPort 443\n"
                  "Timeout 20\nMaxClients 60\n")  # fmt: skip
        config.write_text(basics + "".join(f"{line}\n" for line in lines))
        self.machines.start("proxy", "proxy", "tinyproxy", "-d", "-c", str(config))
        probe = f"exec 3<>/dev/tcp/{SUBNET}.31/8888"
        for _ in range(50):
            command = self.machines.command("mgmt", "bash", "-c", probe)
            if subprocess.run(command, check=False, capture_output=True).returncode == 0:
                return
            time.sleep(0.1)
        raise AssertionError("the proxy does not listen")

    def files(self, name: str, proxy: str = "", **changed: str) -> Path:
        """The three files of a bridge."""
        place = {
            "folder": "arc",
            "resourcepool": "/DC0/host/DC0_C0/Resources",
            "datastore": "LocalDS_0",
            "network": "VM Network",
            "vmtemplate": "arc-template",
            "username": "svc-arc@contoso.com",
            **changed,
        }
        rows = "".join(f"    {key}: {value}\n" for key, value in place.items() if key != "username")
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        (folder / "plant-infra.yaml").write_text(
            f"vsphereprovider:\n  credentials:\n    address: {VCENTER}\n"
            f"    username: {place['username']}\n    password: {PASSWORD}\n"
            f"  appliancevm:\n    datacenter: DC0\n{rows}"
            f"  network:\n    ipaddressprefix: {SUBNET}.0/24\n    gateway: {SUBNET}.1\n"
            f"    dnsservers: [{SUBNET}.{APPLIANCE_DNS}]\n"
            f"    k8snodeippoolstart: {VM}\n    k8snodeippoolend: {SUBNET}.22\n"
        )
        exempt = f"localhost,127.0.0.1,.svc,10.0.0.0/8,{SUBNET}.0/24,.contoso.com" if proxy else ""
        (folder / "plant-appliance.yaml").write_text(
            "infrastructureConfigPath: plant-infra.yaml\n"
            "applianceResourceFilePath: plant-resource.yaml\n"
            f"applianceClusterConfig:\n  controlPlaneEndpoint: {PLANE}\n"
            f'  networking:\n    proxy:\n      http: "{proxy}"\n      https: "{proxy}"\n'
            f'      noproxy: "{exempt}"\n'
        )
        (folder / "plant-resource.yaml").write_text(
            "resource:\n  resource_group: plant-rg\n  name: plant-arb\n"
            f"  location: {REGION}\n  subscription: 00000000-0000-4000-8000-000000000001\n"
        )
        return folder

    def sickbay(self, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Run the program on the management machine."""
        kept = {"PATH": f"{os.environ['PATH']}:/usr/sbin", "HOME": str(self.home)}
        kept["SICKBAY_CACHE"] = cache_folder()
        command = self.machines.command("mgmt", sys.executable, "-m", "sickbay", *words)
        return subprocess.run(
            command, env={**kept, **environment}, check=False, capture_output=True, text=True
        )

    def diagnosed(self, config: Path | None = None, *words: str, **environment: str) -> Any:
        """What a live diagnosis of the bridge says, as JSON."""
        asked = ("diagnose", "--appliance", str(config or self.config), "--ssh-user", "root")
        trust = ("--ca-file", str(self.ca.path))
        done = self.sickbay(*asked, *trust, "-o", "json", *words, **environment)
        assert done.returncode in (0, 1, 3), done.stderr
        assert PASSWORD not in done.stdout + done.stderr
        return json.loads(done.stdout) | {"exit": done.returncode}
