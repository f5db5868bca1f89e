"""Those who call pods for others: the ingress controller, and the tunnel of the API server."""

from typing import Any

import pytest
from policy_kit import Document, cluster, pod, policy  # type: ignore[import-not-found]

from sickbay.model.evidence import UnseenError
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.network.policy_callers import Refused, api_tunnel, ingress_controller, refused
from sickbay.network.services_backends import Backend

READY = [{"type": "Ready", "status": "True"}]
CALLER = pod("edge/nginx-1", {"app.kubernetes.io/name": "ingress-nginx"}, ip="10.244.0.3")
CALLER["status"]["conditions"] = READY
TARGET = pod("shop/web-1", {"app": "web"}, ip="10.244.1.5")


def called(*policies: Document) -> Refused | None:
    snapshot = cluster(CALLER, TARGET, *policies)
    caller, target = ingress_controller(snapshot), snapshot.find(kube("Pod", "shop", "web-1"))
    assert isinstance(caller, Pod)
    assert isinstance(target, Pod)
    return refused(snapshot, caller, Backend(target, "10.244.1.5", 8080, "", ready=True))


def test_without_policies_the_controller_comes_through() -> None:
    assert called() is None


def test_a_closed_namespace_refuses_it() -> None:
    found = called(policy("shop/deny", policyTypes=["Ingress"]))
    assert found is not None
    assert (found.caller, found.target, found.port) == ("edge/nginx-1", "shop/web-1", 8080)
    assert (found.namespace, found.policy) == ("shop", "deny")
    assert '"path":"/spec/ingress","value":[' in found.patch
    assert '"kubernetes.io/metadata.name":"edge"' in found.patch


def test_a_policy_that_already_has_rules_is_the_one_to_widen() -> None:
    rules: list[Any] = [{"from": [{"podSelector": {}}]}]
    found = called(
        policy("shop/deny", policyTypes=["Ingress"]),
        policy("shop/from-own", policyTypes=["Ingress"], ingress=rules),
    )
    assert found is not None
    assert found.policy == "from-own"
    assert '"path":"/spec/ingress/-"' in found.patch


def test_the_jobs_of_a_controller_are_no_controller() -> None:
    job = pod(
        "edge/create-1",
        {**CALLER["metadata"]["labels"], "app.kubernetes.io/component": "admission-webhook"},
    )
    job["status"]["conditions"] = READY
    assert ingress_controller(cluster(job)) is None


def test_the_tunnel_of_the_api_server_is_found_or_asked_for() -> None:
    agent = pod("kube-system/konnectivity-agent-1", {"app": "konnectivity-agent"})
    found = api_tunnel(cluster(agent))
    assert found is not None
    assert found.name == "konnectivity-agent-1"
    with pytest.raises(UnseenError):
        api_tunnel(cluster(TARGET))
