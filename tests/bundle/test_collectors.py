"""Files of support bundles: Periscope, troubleshoot.sh, connectedk8s."""

import json

from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.kubernetes import Pod

EVENT = {
    "apiVersion": "v1",
    "kind": "Event",
    "metadata": {"name": "e1", "namespace": "azure-arc"},
    "involvedObject": {"kind": "Pod", "namespace": "azure-arc", "name": "config-agent-1"},
    "reason": "FailedMount",
    "message": "secret azure-identity-certificate not found",
    "count": 4,
}


def test_a_log_inside_an_object_of_periscope_is_about_its_pod() -> None:
    body = {
        "name": "config-agent-1",
        "ready": "1/2",
        "status": "Running",
        "containerName": "config-agent",
        "containerLog": "error: no token\n",
    }
    result = made(json.dumps(body), "2026/aks-np1-12345678-vmss000000/podscontainerlogs/x")
    text, frame = result.logs[0]
    assert (text, str(frame.about)) == ("error: no token\n", "pod/<namespace>/config-agent-1")
    assert not result.not_understood


def test_a_bare_list_of_a_support_bundle_has_the_kind_of_its_path() -> None:
    text = json.dumps([{"metadata": {"namespace": "shop", "name": "web-1"}}])
    (pod,) = made(text, "bundle/cluster-resources/pods/shop.json").snapshot.some(Pod)
    assert pod.name == "web-1"


def test_an_analysis_says_what_is_wrong_and_not_what_is_well() -> None:
    text = json.dumps(
        [
            {"name": "a", "severity": "error", "insight": {"primary": "Disk", "detail": "full"}},
            {"name": "b", "severity": "debug", "insight": {"primary": "CPU", "detail": "fine"}},
        ]
    )
    result = made(text, "bundle/analysis.json")
    assert [(one.text, one.channel) for one in result.texts] == [("Disk: full", "analysis")]
    assert not result.not_understood


def test_events_that_python_printed_are_events() -> None:
    result = made(f"{EVENT}\n{EVENT}\n", "arc_diagnostic_logs/arc_agents_events.txt")
    event = result.texts[0]
    assert (str(event.about), event.times) == ("pod/azure-arc/config-agent-1", 4)


def test_a_cluster_that_python_printed_is_a_resource() -> None:
    id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Kubernetes/connectedClusters/c1"
    text = str({"id": id, "provisioning_state": "Failed", "connectivity_status": "Offline"})
    snapshot = made(text, "connected_cluster_resource_snapshot.txt").snapshot
    (ref,) = snapshot.refs()
    assert ref.id == id
    found = snapshot.find(ref)
    assert found is not None
    assert found.is_unwell


def test_what_only_looks_like_python_is_heard() -> None:
    text = "{'id': <object at 0x7f>, 'error': 'no route to host'}\n"
    assert made(text).logs[0][0] == text


def test_documents_of_others_are_left_to_their_readers() -> None:
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "containerLog"}}
    text = json.dumps({**body, "spec": {"note": {"containerLog": 1}}})
    assert made(text).snapshot.holds("Pod")


def test_a_file_may_break_off_anywhere() -> None:
    text = f"{EVENT}\n{EVENT}\n"
    for end in range(0, len(text), 13):
        assert made(text[:end]) is not None


def test_only_endpoints_that_nodes_need_are_missed() -> None:
    line = '{{"TimeStamp":"2026-11-17T08:00:00Z","Type":"{}","URL":"{}","Status":"{}"}}\n'
    error = "Error: dial tcp 192.0.2.1:443: i/o timeout"
    text = line.format("Internet", "google.com:80", error)
    text += line.format("AKS API Server", "a.hcp.westeurope.azmk8s.io:443", "Connected")
    text += line.format("Microsoft Container Registry", "mcr.microsoft.com:443", error)
    [heard] = made(text, "Internet").texts
    assert heard.text.startswith("connect to mcr.microsoft.com 443 failed: dial tcp")
    assert heard.origin.locator == "line 3"
