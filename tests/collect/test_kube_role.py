"""The role that is offered is enough, and no more than is used."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from kube_server import Api, Served, held_to, pod, serving  # type: ignore[import-not-found]
from test_kube_live import CRASH, diagnosed  # type: ignore[import-not-found]

from sickbay.cli.main import main

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def served() -> Iterator[Served]:
    """A cluster with something of everything that is read by name."""
    api = Api()
    bad = {"conditions": [{"type": "Ready", "status": "False"}]}
    api.add("nodes", {"metadata": {"name": "n1"}, "status": bad})
    api.add("pods", pod("a", **CRASH))
    api.add("configmaps", {"metadata": {"name": "coredns", "namespace": "kube-system"}, "data": {}})
    data = {"AZURE_CLIENT_ID": base64.b64encode(b"id").decode()}
    secret = {"metadata": {"name": "aso-credential", "namespace": "shop"}, "data": data}
    api.add("secrets", secret)
    group = {"metadata": {"name": "rg", "namespace": "shop"}}
    api.add("resourcegroups", group, group="resources.azure.com")
    with serving(api) as made:
        yield made


def rules_of(
    served: Served, folder: Path, capsys: pytest.CaptureFixture[str]
) -> list[dict[str, list[str]]]:
    assert main(["collect", "--print-role", "--kubeconfig", str(served.config(folder))]) == 0
    role = yaml.safe_load(capsys.readouterr().out)
    assert role["kind"] == "ClusterRole"
    found: list[dict[str, list[str]]] = role["rules"]
    return found


def test_the_offered_role_is_enough(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = rules_of(served, tmp_path, capsys)
    served.api.rules = rules
    served.api.special.append(held_to(rules))
    found = diagnosed(served, tmp_path)
    assert [gap for gap in found.gaps if gap.reason == "forbidden"] == []
    assert found.causes


@pytest.mark.parametrize(
    ("resource", "named"),
    [
        ("pods/log", "pods/log"),
        ("nodes/proxy", "nodes/proxy"),
        ("secrets", "secrets"),
        ("pods", "pods"),
    ],
)
def test_with_less_the_gap_says_what_is_missing(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str], resource: str, named: str
) -> None:
    rules = [
        {**rule, "resources": [one for one in rule["resources"] if one != resource]}
        for rule in rules_of(served, tmp_path, capsys)
    ]
    served.api.rules = rules
    served.api.special.append(held_to(rules))
    found = diagnosed(served, tmp_path)
    forbidden = [gap.what for gap in found.gaps if gap.reason == "forbidden"]
    assert any(named in what for what in forbidden)


def test_nobody_is_given_a_right_to_write(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verbs = {verb for rule in rules_of(served, tmp_path, capsys) for verb in rule["verbs"]}
    assert verbs == {"get", "list"}


def test_without_a_cluster_the_role_is_for_all_that_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "absent"))
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    assert main(["collect", "--print-role"]) == 0
    assert "httproutes" in capsys.readouterr().out
