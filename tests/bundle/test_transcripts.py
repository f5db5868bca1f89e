"""Several commands and their answers in one text."""

import json

from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.aks import AgentPool
from sickbay.model.arc import ApplianceInfra
from sickbay.model.kubernetes import Node
from sickbay.model.workloads import Deployment

NODE = json.dumps({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}}, indent=2)
TEXT = f"""\
$ kubectl get node n1 -o json
{NODE}
$ kubectl get deploy -n shop
NAME   READY   UP-TO-DATE   AVAILABLE   AGE
web    1/1     1            1           3d
$ kubectl get pod web-1 -n shop -o yaml
apiVersion: v1
kind: Pod
metadata:
  name: web-1
  namespace: shop
$ curl -v https://web
connection refused
"""


def test_each_answer_is_read_as_what_it_is() -> None:
    snapshot = made(TEXT).snapshot
    assert [one.name for one in snapshot.some(Node)] == ["n1"]
    assert [one.name for one in snapshot.some(Deployment)] == ["web"]
    assert snapshot.holds("Pod")


def test_what_is_no_document_is_heard() -> None:
    heard = made(TEXT).logs[0][0]
    assert "connection refused" in heard
    assert "apiVersion" not in heard


def test_an_answer_that_only_begins_with_a_bracket_is_heard() -> None:
    text = "$ kubectl logs web-1\n[INFO] up\n[ERROR] down\n"
    assert made(text).logs[0][0] == text


def test_a_transcript_may_break_off_anywhere() -> None:
    for end in range(0, len(TEXT), 7):
        assert made(TEXT[:end]) is not None


def test_a_document_between_words_is_read_as_one() -> None:
    told = (
        f"Hello, since Monday our node is ill:\n\n{NODE}\n\nWhat can we do? dial tcp: i/o timeout\n"
    )
    assert [one.name for one in made(told).snapshot.some(Node)] == ["n1"]
    assert "i/o timeout" in made(told).logs[0][0]


def test_a_fenced_manifest_ends_with_its_fence() -> None:
    told = (
        "See:\n```yaml\napiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n```\nIt is NotReady.\n"
    )
    assert [one.name for one in made(told).snapshot.some(Node)] == ["n1"]
    assert "It is NotReady." in made(told).logs[0][0]


def test_an_error_body_between_words_is_heard_where_it_stands() -> None:
    body = json.dumps({"error": {"code": "Conflict", "message": "busy"}}, indent=2)
    assert "busy" in made(f"RESPONSE 409:\n\n{body}\n\nretrying\n").logs[0][0]


_POOL = "/subscriptions/s/resourceGroups/r/providers/Microsoft.ContainerService/managedClusters/c"
YAML_OF_AZURE = f"""\
$ az aks nodepool show -g rg --cluster-name shop -n np1 -o yaml
count: 3
id: {_POOL}/agentPools/np1
name: np1
provisioningState: Failed

$ cat plant-infra.yaml
vsphereprovider:
  network:
    ipaddressprefix: 192.0.2.0/24
    k8snodeippoolstart: 192.0.2.21
$ kubectl describe node n1
Name:               n1
Roles:              agent
"""


def test_what_a_command_prints_as_yaml_is_read_whatever_its_first_key() -> None:
    snapshot = made(YAML_OF_AZURE).snapshot
    assert [one.name for one in snapshot.some(AgentPool)] == ["np1"]
    assert snapshot.holds(ApplianceInfra.kind)
