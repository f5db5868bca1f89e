"""The kubeconfig is read as kubectl reads it, and a broken one is one clear line."""

import base64
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from sickbay.collect.kubeconfig import access
from sickbay.errors import SickbayError


def config(**parts: Any) -> str:
    body = {
        "current-context": "a",
        "clusters": [{"name": "c", "cluster": {"server": "https://one.contoso.example:6443/"}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
        "contexts": [{"name": "a", "context": {"cluster": "c", "user": "u", "namespace": "shop"}}],
    }
    return yaml.safe_dump({**body, **parts})


def user(**entry: Any) -> str:
    return config(users=[{"name": "u", "user": entry}])


def cluster(**entry: Any) -> str:
    return config(clusters=[{"name": "c", "cluster": entry}])


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this machine's own."""
    for name in ("KUBECONFIG", "KUBERNETES_SERVICE_HOST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))


def written(tmp_path: Path, text: str, name: str = "config") -> str:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return str(path)


def test_the_current_context_names_cluster_user_and_namespace(tmp_path: Path) -> None:
    found = access(written(tmp_path, config()))
    assert found is not None
    assert (found.context, found.namespace) == ("a", "shop")
    assert (found.cluster.server, found.user.token) == ("https://one.contoso.example:6443", "t")


def test_without_a_name_the_file_of_the_home_folder_is_read(tmp_path: Path) -> None:
    written(tmp_path, config(), ".kube/config")
    assert access() is not None


def test_without_any_file_nothing_is_named() -> None:
    assert access() is None


def test_of_several_files_the_first_that_says_something_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = written(tmp_path, yaml.safe_dump({"current-context": "b"}), "first")
    other = [{"name": "c", "cluster": {"server": "https://two.contoso.example"}}]
    contexts = [{"name": "b", "context": {"cluster": "c", "user": "u"}}]
    third = written(tmp_path, config(clusters=other, contexts=contexts), "third")
    second = written(tmp_path, config(), "second")
    names = [first, str(tmp_path / "absent"), second, third]
    monkeypatch.setenv("KUBECONFIG", os.pathsep.join(names))
    found = access()
    assert found is not None
    assert (found.context, found.cluster.server) == ("b", "https://one.contoso.example:6443")


def test_files_are_meant_from_the_folder_of_their_kubeconfig(tmp_path: Path) -> None:
    (tmp_path / "pki").mkdir()
    (tmp_path / "pki" / "ca.crt").write_bytes(b"authority")
    user = {"exec": {"command": "bin/login", "apiVersion": "client.authentication.k8s.io/v1"}}
    body = config(
        clusters=[
            {"name": "c", "cluster": {"server": "https://x", "certificate-authority": "pki/ca.crt"}}
        ],
        users=[{"name": "u", "user": user}],
    )
    found = access(written(tmp_path, body))
    assert found is not None
    assert found.cluster.authority == b"authority"
    assert found.user.plugin is not None
    assert found.user.plugin.command == str(tmp_path / "bin/login")


def test_data_counts_before_a_file(tmp_path: Path) -> None:
    data = base64.b64encode(b"inside").decode()
    entry = {
        "server": "https://x",
        "certificate-authority": "absent",
        "certificate-authority-data": data,
    }
    found = access(written(tmp_path, cluster(**entry)))
    assert found is not None
    assert found.cluster.authority == b"inside"


def test_impersonation_becomes_headers(tmp_path: Path) -> None:
    text = user(**{"token": "t", "as": "sam", "as-groups": ["ops"]})
    found = access(written(tmp_path, text))
    assert found is not None
    assert found.user.headers == (("Impersonate-User", "sam"), ("Impersonate-Group", "ops"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "no kubeconfig"),
        ("[1, 2]", "no kubeconfig"),
        ("clusters: 7", "no kubeconfig"),
        ("clusters: [7]", "no kubeconfig"),
        (config(contexts=[]), "no context a"),
        (config(**{"current-context": ""}), "no context is chosen"),
        (config(clusters=[]), "names the cluster c"),
        (config(users=[]), "names the user u"),
        (cluster(), "names no server"),
        (user(exec={}), "names no program"),
        (user(**{"auth-provider": {"name": "azure"}}), "auth-provider"),
        (user(**{"client-key": "absent.key"}), "cannot be read"),
        (cluster(server="https://x", **{"certificate-authority-data": "a"}), "broken"),
    ],
)
def test_a_broken_kubeconfig_is_one_clear_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(SickbayError, match=says) as told:
        access(written(tmp_path, text))
    assert "\n" not in str(told.value)


def test_a_broken_kubeconfig_is_not_quoted(tmp_path: Path) -> None:
    with pytest.raises(SickbayError) as told:
        access(written(tmp_path, "users: [{token: very-secret"))
    assert "very-secret" not in str(told.value)


def test_a_context_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(SickbayError, match="the kubeconfig has a"):
        access(written(tmp_path, config()), "nowhere")
