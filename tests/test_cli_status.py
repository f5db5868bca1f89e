"""`sickbay status` as a user and as a script meet it."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sickbay.cli.main import main
from sickbay.report.schema_states import STATUS

HERE = Path(__file__).parent
HEALTHY = sorted(path.parent.name for path in (HERE / "healthy").glob("*/evidence"))
# Tables of az that leave the provisioning state out: what is not told is unknown.
NOT_TOLD = {"arc-texts"}
SICK = sorted(path.parent.name for path in (HERE / "incidents").glob("*/evidence"))
# The fault of these is a state of an Azure resource, so it must be seen here too.
STATES = {
    "aks-bootstrap-exit-50": ("instance", "2"),
    "aks-disk-detach-state": ("instance", ""),
    "aks-machine-stopped-state": ("instance", "1"),
    "aks-subscription-disabled-state": ("subscription", ""),
    "aks-provider-state": ("provider", ""),
    "arc-certificate-state": ("connected cluster", "plant-k3s"),
    "hybrid-agent-mute-state": ("hybrid cluster", "apps-1"),
    "hybrid-succeeded-with-error-state": ("hybrid cluster", "apps-1"),
    "nexus-domain-disabled-state": ("l3 domain", "l3-apps"),
    "nexus-host-power-lost-state": ("machine", "rack1compute01"),
    "nexus-l2-domain-disabled-state": ("l2 domain", ""),
    "nexus-quorum-lost-state": ("machine", "rack1control02"),
    "nexus-prefix-overlap-state": ("network", ""),
}
PREFIX = "/subscriptions/s/resourceGroups/rg/providers"
CLUSTER = f"{PREFIX}/Microsoft.ContainerService/managedClusters/prod"


def saved(folder: Path, *documents: Any) -> str:
    for number, document in enumerate(documents):
        (folder / f"{number}.json").write_text(json.dumps(document))
    return str(folder)


def cluster(state: str = "Succeeded", **properties: Any) -> dict[str, Any]:
    members = {"provisioningState": state, "nodeResourceGroup": "MC", **properties}
    return {"id": CLUSTER, "name": "prod", "properties": members}


def shown(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["status", *words])
    return code, capfd.readouterr().out


@pytest.mark.parametrize("name", HEALTHY)
def test_nothing_is_unhealthy_in_an_estate_that_is_well(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out = shown(capfd, "--from", str(HERE / "healthy" / name / "evidence"), "-o", "json")
    data = json.loads(out)
    assert data["counts"]["unhealthy"] == 0
    assert bool(data["counts"]["unknown"]) is (name in NOT_TOLD)
    is_told = (data["trees"] or data["beside"]) and name not in NOT_TOLD
    assert code == (0 if is_told else 3)


@pytest.mark.parametrize("name", sorted(STATES))
def test_a_fault_that_is_a_state_is_seen(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out = shown(capfd, "--from", str(HERE / "incidents" / name / "evidence"))
    noun, thing = STATES[name]
    sick = [line for line in out.splitlines()[1:] if line.startswith("SICK")]
    assert code == 1
    assert any(noun in line and thing in line for line in sick), out


@pytest.mark.parametrize("name", SICK)
def test_every_page_fits_the_terminal_and_every_document_its_schema(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = str(HERE / "incidents" / name / "evidence")
    _, page = shown(capfd, "--from", folder)
    body = page.rpartition("\n\n")[0]
    assert max(map(len, body.splitlines()), default=0) <= 80
    _, out = shown(capfd, "--from", folder, "-o", "json")
    Draft202012Validator(STATUS).validate(json.loads(out))


@pytest.mark.parametrize(
    ("state", "code", "word"),
    [
        ("Succeeded", 0, "HEALTHY"),
        ("Failed", 1, "SICK"),
        ("Upgrading", 0, "HEALTHY"),
        ("Wobbling", 3, "UNKNOWN"),
        ("", 3, "UNKNOWN"),
    ],
)
def test_the_exit_code_is_the_worst_state(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], state: str, code: int, word: str
) -> None:
    found, out = shown(capfd, "--from", saved(tmp_path, cluster(state)))
    assert (found, out.split()[0]) == (code, word)


def test_twenty_healthy_instances_are_one_line_and_an_ill_one_has_a_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    nodes = PREFIX.replace("/rg/", "/MC/")
    scale_set = f"{nodes}/Microsoft.Compute/virtualMachineScaleSets/np"
    pool = {"id": f"{CLUSTER}/agentPools/np", "properties": {"provisioningState": "Succeeded"}}
    machines = [
        {
            "id": f"{scale_set}/virtualMachines/{number}",
            "properties": {"provisioningState": "Failed" if number == 7 else "Succeeded"},
        }
        for number in range(21)
    ]
    owner = {
        "id": scale_set,
        "tags": {"aks-managed-poolName": "np"},
        "properties": {"provisioningState": "Succeeded"},
    }
    folder = saved(tmp_path, cluster(), [pool], [owner], machines)
    _, out = shown(capfd, "--from", folder)
    assert "├─ 20 instances" in out
    assert "└─ instance 7 " in out
    _, full = shown(capfd, "--from", folder, "-v")
    assert full.count("─ instance ") == 21


def test_an_ill_line_says_since_when_and_the_innermost_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    inner = {"code": "SubnetIsFull", "message": "Subnet nodes has no addresses left"}
    message = json.dumps({"error": {"code": "Conflict", "message": "x", "details": [inner]}})
    event = {
        "eventTimestamp": "2026-01-01T10:32:00Z",
        "operationName": {"value": "Microsoft.ContainerService/managedClusters/write"},
        "status": {"value": "Failed"},
        "resourceId": CLUSTER.lower(),
        "correlationId": "c",
        "properties": {"statusMessage": message},
    }
    _, out = shown(capfd, "--from", saved(tmp_path, cluster("Failed"), [event]))
    assert "since 2026-01-01 10:32" in out
    assert "SubnetIsFull: Subnet nodes has no addresses left" in out


def test_an_old_failure_is_not_the_reason_of_a_lost_connection(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    id = f"{PREFIX}/Microsoft.Kubernetes/connectedClusters/plant"
    event = {
        "eventTimestamp": "2026-01-01T10:32:00Z",
        "operationName": {"value": "Microsoft.Kubernetes/connectedClusters/write"},
        "status": {"value": "Failed"},
        "resourceId": id,
        "correlationId": "c",
        "properties": {"statusMessage": "long ago"},
    }
    properties = {
        "provisioningState": "Succeeded",
        "connectivityStatus": "Offline",
        "lastConnectivityTime": "2026-02-02T10:00:00Z",
    }
    folder = saved(tmp_path, {"id": id, "name": "plant", "properties": properties}, [event])
    _, out = shown(capfd, "--from", folder)
    assert "since 2026-02-02 10:00" in out
    assert "long ago" not in out


def test_what_resource_health_says_is_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    health = {
        "id": f"{CLUSTER}/providers/Microsoft.ResourceHealth/availabilityStatuses/current",
        "properties": {
            "availabilityState": "Unavailable",
            "title": "Host is down",
            "occuredTime": "2026-01-01T09:00:00Z",
        },
    }
    code, out = shown(capfd, "--from", saved(tmp_path, cluster(), {"value": [health]}))
    assert code == 1
    assert "resource health Unavailable" in out
    assert "since 2026-01-01 09:00" in out


def test_it_ends_with_the_command_that_finds_out_why(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _, out = shown(capfd, "--from", saved(tmp_path, cluster("Failed")))
    assert out.rstrip().splitlines()[-1].endswith(str(tmp_path))
    assert "Why:  sickbay diagnose --from" in out


def test_what_could_not_be_read_is_listed_and_is_no_health(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.json").write_text('[{"id": "/subscriptions/s/resourceG')
    code, out = shown(capfd, "--from", saved(tmp_path, cluster()))
    assert code == 3
    assert "Not seen" in out
    assert "broken.json" in out


@pytest.mark.parametrize("form", ["text", "json", "yaml", "markdown"])
def test_secrets_and_orders_to_a_terminal_reach_no_page(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], form: str
) -> None:
    key = "AccountKey=" + "q" * 86 + "=="
    error = {"code": "Bad", "message": f"\x1b[31mred {key}"}
    folder = saved(tmp_path, cluster("Failed", status={"provisioningError": error}))
    _, out = shown(capfd, "--from", folder, "-o", form)
    assert "q" * 40 not in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    "words",
    [["--from", "nowhere"], ["--from", "x", "-g", "rg", "-n", "prod"], ["--kubeconfig", "no"]],
)
def test_a_mistake_is_one_line_and_2(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["status", *words]) == 2
    assert capfd.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("server", "says"),
    [("https://127.0.0.1:6443", "is no server that Azure knows"), ("", "no target")],
)
def test_without_a_target_the_cluster_of_the_kubeconfig_is_meant(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    server: str,
    says: str,
) -> None:
    path = tmp_path / "config"
    if server:
        entry = {"name": "c", "cluster": {"server": server}}
        context = {"name": "c", "context": {"cluster": "c", "user": "c"}}
        users = [{"name": "c", "user": {}}]
        parts = {"clusters": [entry], "contexts": [context], "users": users}
        path.write_text(json.dumps({"current-context": "c", **parts}))
    monkeypatch.setenv("KUBECONFIG", str(path))
    assert main(["status"]) == 2
    assert says in capfd.readouterr().err


def test_evidence_without_any_azure_resource_is_unknown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "garbage.txt").write_text("\x07 not much { [ to see \ufeff\n" * 50)
    code, out = shown(capfd, "--from", str(tmp_path))
    assert code == 3
    assert out.startswith("UNKNOWN")


@pytest.mark.parametrize(
    "odd",
    [
        {"powerState": "Running"},
        {"powerState": {"code": {"a": 1}}},
        {"provisioningState": ["Failed"]},
        {"agentPoolProfiles": "none"},
        {"status": {"provisioningError": {"details": [[[]]]}}},
        {"nodeResourceGroup": 7},
    ],
)
def test_odd_documents_are_survived(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], odd: dict[str, Any]
) -> None:
    code, out = shown(capfd, "--from", saved(tmp_path, cluster(**odd)), "-o", "json")
    Draft202012Validator(STATUS).validate(json.loads(out))
    assert code in (0, 1, 3)
