"""`sickbay reach` as a user and as a script meet it."""

import json
from pathlib import Path

import pytest
from jsonschema import validate

from sickbay.cli.main import main
from sickbay.report.schema import REACH, REACH_MATRIX

EVIDENCE = """apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {app: web}}
spec: {nodeName: one, containers: [{name: c, ports: [{containerPort: 80}]}]}
status: {podIP: 10.244.0.5}
---
apiVersion: v1
kind: Pod
metadata: {name: db, namespace: shop, labels: {app: db}}
spec: {nodeName: one, containers: [{name: c, ports: [{containerPort: 5432}]}]}
status: {podIP: 10.244.0.6}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: only-web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress:
  - from: [{podSelector: {matchLabels: {app: web}}}]
    ports: [{port: 5432}]
"""
WEB, DB = "pod/shop/web", "pod/shop/db"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "shop.yaml").write_text(EVIDENCE)
    return str(tmp_path)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([WEB, DB, "--port", "5432"], 0),
        ([WEB, DB, "--port", "80"], 1),
        ([WEB, DB, "--port", "5432", "--protocol", "udp"], 1),
        ([WEB, DB, "--port", "5432", "--protocol", "TCP"], 0),
        ([DB, WEB], 0),
        (["--matrix"], 0),
    ],
)
def test_the_exit_code_is_the_verdict(folder: str, words: list[str], code: int) -> None:
    assert main(["reach", *words, "--from", folder]) == code


def test_the_answer_stands_in_the_first_lines(
    folder: str, capfd: pytest.CaptureFixture[str]
) -> None:
    main(["reach", WEB, DB, "--port", "80", "--from", folder])
    first, second, *_ = capfd.readouterr().out.splitlines()
    assert first == "BLOCKED  TCP 80  pod/shop/web -> pod/shop/db"
    assert second.startswith("  by NetworkPolicy shop/only-web:")


def test_the_lines_fit_a_terminal(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    main(["reach", WEB, DB, "--port", "80", "--explain", "--from", folder])
    main(["reach", "--matrix", "--from", folder])
    assert max(map(len, capfd.readouterr().out.splitlines())) <= 80


def test_the_json_keeps_its_contract(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    main(["reach", WEB, DB, "--port", "80", "--explain", "-o", "json", "--from", folder])
    data = json.loads(capfd.readouterr().out)
    validate(data, REACH)
    assert data["by"][0]["name"] == "shop/only-web"
    assert [layer["layer"] for layer in data["considered"]] == ["policies"]


def test_the_matrix_has_a_cell_for_every_two_pods(
    folder: str, capfd: pytest.CaptureFixture[str]
) -> None:
    main(["reach", "--matrix", "-o", "json", "--from", folder])
    data = json.loads(capfd.readouterr().out)
    validate(data, REACH_MATRIX)
    assert data["rows"] == ["pod/shop/db", "pod/shop/web"]
    cells = {(c["from"], c["to"], c["port"]): c["verdict"] for c in data["cells"]}
    assert cells == {
        (DB, DB, 5432): "allowed",
        (WEB, DB, 5432): "allowed",
        (DB, WEB, 80): "allowed",
        (WEB, WEB, 80): "allowed",
    }


@pytest.mark.parametrize("form", ["yaml", "markdown", "html"])
@pytest.mark.parametrize("words", [[WEB, DB, "--port", "80"], ["--matrix", "--port", "80"]])
def test_every_other_format_names_who_decides(
    folder: str, capfd: pytest.CaptureFixture[str], words: list[str], form: str
) -> None:
    main(["reach", *words, "-o", form, "--from", folder])
    assert "shop/only-web" in capfd.readouterr().out


def test_a_page_shows_names_as_text(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    evil = EVIDENCE.replace("name: only-web", 'name: "<script>alert(1)</script>"')
    (tmp_path / "shop.yaml").write_text(evil)
    main(["reach", WEB, DB, "--port", "80", "-o", "html", "--from", str(tmp_path)])
    main(["reach", "--matrix", "--port", "80", "-o", "html", "--from", str(tmp_path)])
    assert "<script>" not in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([WEB, DB], "no evidence"),
        ([WEB, "--from", "."], "two ends"),
        ([WEB, DB, "--port", "x", "--from", "."], "x is no port"),
        ([WEB, DB, "--port", "70000", "--from", "."], "70000 is no port"),
        ([WEB, DB, "--client-ip", "me", "--from", "."], "me is no address"),
        ([WEB, "--matrix", "--from", "."], "leave SRC and DST out"),
        ([WEB, DB, "--from", "/no/such/folder"], "/no/such/folder"),
        (["--matrix", "--namespace", "none", "--from", "."], "no pods in namespace none"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(
    folder: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(folder)
    assert main(["reach", *words]) == 2
    out, errors = capfd.readouterr()
    assert (out, errors.count("\n")) == ("", 1)
    assert says in errors
