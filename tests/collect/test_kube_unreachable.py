"""A cluster that does not answer, or not to the end: why, and who else is asked."""

import argparse
import base64
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from kube_server import Api, Authority, Reply, Served, pod, serving  # type: ignore[import-not-found]
from test_kube_live import CRASH, diagnosed, seen  # type: ignore[import-not-found]

from sickbay.bundle.build import Builder, Deaf
from sickbay.bundle.sink import Sink
from sickbay.cli.azure import azure_source
from sickbay.cli.kubernetes import kubernetes_sources
from sickbay.cli.live import add_live
from sickbay.collect.credentials import is_at_hand
from sickbay.collect.kubeconfig import access
from sickbay.collect.kubernetes import About, Kubernetes
from sickbay.collect.source import Look, read_all
from sickbay.model.kubernetes import Pod
from sickbay.progress import Observer, ignore

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(Api()) as made:
        yield made


@pytest.mark.parametrize(
    ("how", "rule"),
    [
        ({"server": "https://127.0.0.1:1"}, "aks.api_server_unreachable"),
        ({"user": {"token": "wrong"}}, "kubernetes.kubeconfig_rejected"),
        ({"tls-server-name": "other.contoso.example"}, "kubernetes.kubeconfig_untrusted"),
    ],
)
def test_a_server_that_cannot_be_asked_is_a_cause_and_a_gap(
    served: Served, tmp_path: Path, how: dict[str, Any], rule: str
) -> None:
    found = diagnosed(served, tmp_path, **how)
    assert found.causes[0].rule == rule
    assert [gap.source for gap in found.gaps if gap.asked_for] == ["kubernetes"]


def test_a_client_certificate_that_expired_is_told(tmp_path: Path) -> None:
    people = Authority("people")
    certificate, key = people.pair("sam", days=-1)
    data = {
        "client-certificate-data": base64.b64encode(certificate).decode(),
        "client-key-data": base64.b64encode(key).decode(),
    }
    with serving(Api()) as served:
        found = diagnosed(served, tmp_path, user=data)
    assert found.causes[0].rule == "kubernetes.client_certificate_expired"


def test_a_server_that_dies_midway_leaves_what_was_read(served: Served, tmp_path: Path) -> None:
    served.api.add("pods", *(pod(f"p{at}") for at in range(1200)))
    served.api.drops = 1_000_000
    found = seen(served, tmp_path)
    assert len(found.some(Pod)) == 500
    assert not found.has_seen("Pod")
    assert any("pods" in gap.what and gap.asked_for for gap in found.gaps)


def test_a_server_that_dies_midway_is_a_cause(served: Served, tmp_path: Path) -> None:
    served.api.add("pods", *(pod(f"p{at}", **CRASH) for at in range(700)))
    served.api.drops = 1_000_000
    found = diagnosed(served, tmp_path)
    about = [one for one in found.causes if one.rule == "network.api_connection_closed"]
    assert about
    assert about[0].subject.kind != "Node"
    assert not any("node" in gap.what for gap in found.gaps if gap.source == "kubernetes")


def test_a_server_that_fails_its_own_checks_is_a_cause(served: Served, tmp_path: Path) -> None:
    report = b"[+]ping ok\n[-]etcd failed: reason withheld\n[+]log ok\nreadyz check failed\n"
    served.api.ready = Reply(500, report)
    assert diagnosed(served, tmp_path).causes[0].rule == "kubernetes.etcd_unreachable"


class Other:
    """A source that says that it was asked."""

    name = "azure"

    def __init__(self) -> None:
        self.is_asked = False

    def plan(self) -> Sequence[Look]:
        return ()

    async def read(self, sink: Sink, observer: Observer) -> None:  # noqa: ARG002
        self.is_asked = True


@pytest.mark.parametrize(
    ("how", "is_asked"), [({}, False), ({"server": "https://127.0.0.1:1"}, True)]
)
def test_a_cluster_that_cannot_be_asked_is_asked_of_another(
    served: Served, tmp_path: Path, how: dict[str, Any], is_asked: bool
) -> None:
    found = access(str(served.config(tmp_path, **how)))
    assert found is not None
    other = Other()
    builder = Builder(Deaf())
    read_all([Kubernetes(found, About(seconds=20, instead=(other,)))], builder, ignore)
    assert other.is_asked is is_asked


AKS = "https://shop-dns-1.hcp.westeurope.azmk8s.io:443"


@pytest.fixture
def signed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the Azure CLI in which nobody is signed in."""
    monkeypatch.setenv("AZURE_CONFIG_DIR", str(tmp_path))
    monkeypatch.delenv("AZURE_CLIENT_ID", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("server", "words", "named"),
    [
        (AKS, (), ([], ["azure"])),
        (AKS, ("--auth", "cli"), (["azure"], [])),
        (AKS, ("--probe",), ([], ["azure", "run-command"])),
        (AKS, ("--probe", "-g", "shop", "-n", "prod"), (["azure"], ["run-command"])),
        ("https://10.0.0.1:6443", ("--probe",), ([], [])),
    ],
)
def test_azure_is_asked_of_a_server_of_aks_beside_it_or_instead(
    server: str, words: tuple[str, ...], named: tuple[list[str], list[str]], signed_out: Path
) -> None:
    config = signed_out / "config"
    config.write_text(
        f"""{{clusters: [{{name: c, cluster: {{server: "{server}"}}}}],
        contexts: [{{name: c, context: {{cluster: c, user: u}}}}],
        users: [{{name: u, user: {{token: t}}}}], current-context: c}}"""
    )
    parser = argparse.ArgumentParser()
    parser.set_defaults(path="")
    add_live(parser)
    args = parser.parse_args(words)
    args.kubeconfig = str(config)
    is_alone = not args.name
    azure = [one for one in (azure_source(args),) if one]
    *others, kubernetes = [*azure, *kubernetes_sources(args, is_alone=is_alone)]
    assert isinstance(kubernetes, Kubernetes)
    instead = [one.name for one in kubernetes.about.instead]
    assert ([one.name for one in others], instead) == named


def test_azure_is_asked_beside_it_where_somebody_is_signed_in(signed_out: Path) -> None:
    assert not is_at_hand()
    (signed_out / "azureProfile.json").touch()
    assert is_at_hand()
