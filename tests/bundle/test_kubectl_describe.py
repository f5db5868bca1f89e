"""Descriptions of `kubectl describe`: the object, its events, and no values of maps."""

import pytest
from evidence_kit import made  # type: ignore[import-not-found]
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.model.aso import AsoObject
from sickbay.model.guards import ConfigMap, LimitRange, ResourceQuota
from sickbay.model.kubernetes import Node, Pod
from sickbay.model.storage import PersistentVolumeClaim
from sickbay.model.workloads import Deployment, PodDisruptionBudget, Service

# ruff: noqa: E501 - as kubectl prints it
QUOTA = """\
Name:            team
Namespace:       pay
Resource         Used   Hard
--------         ----   ----
limits.memory    16Gi   16Gi
pods             8      40
"""
LIMITS = """\
Name:       bounds
Namespace:  ml
Type        Resource  Min  Max  Default Request  Default Limit  Max Limit/Request Ratio
----        --------  ---  ---  ---------------  -------------  -----------------------
Container   memory    -    4Gi  128Mi            512Mi          -
Container   cpu       -    2    100m             500m           -
"""
POD = """\
$ kubectl describe pod web-7d9f8b6c5-x2x4q -n shop
Name:             web-7d9f8b6c5-x2x4q
Namespace:        shop
Priority:         0
Service Account:  default
Node:             aks-np1-12345678-vmss000000/10.224.0.4
Start Time:       Mon, 16 Nov 2026 09:00:00 +0000
Labels:           app=web
                  pod-template-hash=7d9f8b6c5
Annotations:      <none>
Status:           Running
IP:               10.244.1.7
IPs:
  IP:           10.244.1.7
Controlled By:  ReplicaSet/web-7d9f8b6c5
Containers:
  app:
    Container ID:   containerd://abc
    Image:          contoso.azurecr.io/web:v9
    Port:           8080/TCP
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Mon, 16 Nov 2026 09:50:00 +0000
      Finished:     Mon, 16 Nov 2026 09:51:00 +0000
    Ready:          False
    Restart Count:  12
    Limits:
      memory:  128Mi
    Requests:
      cpu:     100m
      memory:  128Mi
    Environment:  <none>
    Mounts:
      /data from data (rw)
Conditions:
  Type              Status
  Initialized       True
  Ready             False
  ContainersReady   False
  PodScheduled      True
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data
    ReadOnly:   false
QoS Class:                   Burstable
Node-Selectors:              agentpool=np1
Tolerations:                 node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
                             node.kubernetes.io/unreachable:NoExecute op=Exists for 300s
Events:
  Type     Reason     Age                  From               Message
  ----     ------     ----                 ----               -------
  Normal   Scheduled  30m                  default-scheduler  Successfully assigned shop/web-7d9f8b6c5-x2x4q to aks-np1-12345678-vmss000000
  Warning  BackOff    5m (x74 over 28m)    kubelet            Back-off restarting failed container app in pod
web-7d9f8b6c5-x2x4q_shop(0f1e2d3c)
  Warning  Failed     3m (x2 over 28m)    kubelet, aks-np1-12345678-vmss000000  Error: ImagePullBackOff

"""
MAP = """\
Name:         settings
Namespace:    shop
Labels:       <none>
Annotations:  <none>

Data
====
password:
----
hunter2-very-secret

other:
----
Error: connection refused to 10.0.0.1

BinaryData
====

Events:  <none>
"""
NODE = """\
Name:               aks-np1-12345678-vmss000002
Roles:              <none>
Labels:             agentpool=np1
                    kubernetes.azure.com/agentpool=np1
Annotations:        node.alpha.kubernetes.io/ttl: 0
CreationTimestamp:  Mon, 16 Nov 2026 08:00:00 +0000
Taints:             node.kubernetes.io/unreachable:NoExecute
                    sku=gpu:NoSchedule
Unschedulable:      true
Lease:
  HolderIdentity:  aks-np1-12345678-vmss000002
Conditions:
  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason                     Message
  ----             ------    -----------------                 ------------------                ------                     -------
  MemoryPressure   Unknown   Mon, 16 Nov 2026 09:00:00 +0000   Mon, 16 Nov 2026 09:01:00 +0000   NodeStatusUnknown          Kubelet stopped posting node status.
  Ready            Unknown   Mon, 16 Nov 2026 09:00:00 +0000   Mon, 16 Nov 2026 09:01:00 +0000   NodeStatusUnknown          Kubelet stopped posting node status.
Addresses:
  InternalIP:  10.224.0.6
Capacity:
  cpu:                2
  memory:             7116020Ki
  pods:               30
Allocatable:
  cpu:                1900m
  memory:             4670708Ki
  pods:               30
System Info:
  Kernel Version:             5.15.0
  Kubelet Version:            v1.29.4
PodCIDR:                      10.244.2.0/24
ProviderID:                   azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/x/virtualMachines/2
Non-terminated Pods:          (1 in total)
  Namespace                   Name                       CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
  ---------                   ----                       ------------  ----------  ---------------  -------------  ---
  kube-system                 azure-ip-masq-agent-jdpm6  100m (5%)     500m (26%)  50Mi (1%)        250Mi (5%)     3d
Allocated resources:
  (Total limits may be over 100 percent, i.e., overcommitted.)
  Resource           Requests     Limits
  --------           --------     ------
  cpu                100m (5%)    500m (26%)
Events:              <none>
"""
SERVICE = """\
Name:                     cart
Namespace:                shop
Labels:                   app=cart
Annotations:              <none>
Selector:                 app=cart,tier=front
Type:                     LoadBalancer
IP:                       10.0.12.7
Port:                     http  80/TCP
TargetPort:               8080/TCP
NodePort:                 http  31234/TCP
Endpoints:                <none>
Session Affinity:         None
Events:
  Type     Reason                  Age               From                Message
  ----     ------                  ----              ----                -------
  Warning  SyncLoadBalancerFailed  2m (x5 over 4m)   service-controller  Error syncing load balancer
"""
DEPLOYMENT = """\
Name:                   web
Namespace:              shop
Labels:                 app=web
Annotations:            deployment.kubernetes.io/revision: 2
Selector:               app=web
Replicas:               3 desired | 2 updated | 4 total | 2 available | 1 unavailable
StrategyType:           RollingUpdate
Conditions:
  Type           Status  Reason
  ----           ------  ------
  Available      True    MinimumReplicasAvailable
  Progressing    False   ProgressDeadlineExceeded
Events:          <none>
"""
CLAIM = """\
Name:          data
Namespace:     shop
StorageClass:  managed-csi
Status:        Pending
Volume:
Labels:        <none>
Annotations:   <none>
Events:
  FirstSeen  LastSeen  Count  From                         SubObjectPath  Type     Reason              Message
  ---------  --------  -----  ----                         -------------  ----     ------              -------
  5m         1m        12     persistentvolume-controller                 Warning  ProvisioningFailed  storageclass not found
"""
BUDGET = """\
Name:           cart
Namespace:      shop
Labels:         <none>
Annotations:    <none>
Min available:  1
Selector:       app=cart
Status:
    Allowed disruptions:  0
    Current:              1
    Desired:              1
    Total:                1
Events:                   <none>
"""
ASO = """\
Name:         aks1
Namespace:    infra
Labels:       <none>
Annotations:  serviceoperator.azure.com/resource-id: /subscriptions/s
API Version:  containerservice.azure.com/v1api20231001
Kind:         ManagedCluster
Metadata:
  Creation Timestamp:  2026-11-16T09:00:00Z
  Generation:          2
Spec:
  Azure Name:  aks1
  Owner:
    Name:  rg1
Status:
  Conditions:
    Last Transition Time:  2026-11-16T09:01:00Z
    Message:               The size is not
allowed in this subscription
    Observed Generation:   2
    Reason:                BadRequest
    Severity:              Error
    Status:                False
    Type:                  Ready
Events:                    <none>
"""


def test_a_pod_has_its_states_and_its_place() -> None:
    (pod,) = made(POD).snapshot.some(Pod)
    (app,) = pod.statuses
    assert (pod.namespace, pod.spec.node_name) == ("shop", "aks-np1-12345678-vmss000000")
    assert app.waiting is not None
    assert app.waiting.reason == "CrashLoopBackOff"
    assert app.last_termination is not None
    assert (app.last_termination.reason, app.last_termination.exit_code) == ("OOMKilled", 137)
    assert app.restart_count == 12


def test_a_pod_has_what_it_asks_of_a_node() -> None:
    (pod,) = made(POD).snapshot.some(Pod)
    resources = pod.spec.containers[0].resources
    assert resources is not None
    assert resources.requests == {"cpu": "100m", "memory": "128Mi"}
    assert pod.spec.node_selector == {"agentpool": "np1"}
    assert [one.effect for one in pod.spec.tolerations or ()] == ["NoExecute", "NoExecute"]
    assert [str(ref) for ref in pod.links(made("").snapshot)][:2] == [
        "node/aks-np1-12345678-vmss000000",
        "persistentvolumeclaim/shop/data",
    ]


def test_an_event_below_a_pod_is_about_the_pod() -> None:
    scheduled, back_off, failed = (t for t in made(POD).texts if t.channel == "event")
    assert str(back_off.about) == "pod/shop/web-7d9f8b6c5-x2x4q"
    assert back_off.times == 74
    assert scheduled.text.startswith("Scheduled: Successfully assigned")
    assert failed.text == "Failed: Error: ImagePullBackOff"


def test_a_message_that_goes_on_at_the_margin_is_joined() -> None:
    assert any(text.text.endswith("web-7d9f8b6c5-x2x4q_shop(0f1e2d3c)") for text in made(POD).texts)


def test_the_text_of_a_description_is_heard_about_its_object() -> None:
    frame = made(POD).logs[0][1]
    assert (str(frame.about), frame.channel, frame.first_line) == (
        "pod/shop/web-7d9f8b6c5-x2x4q",
        "describe",
        2,
    )


def test_the_values_of_a_map_are_not_heard() -> None:
    result = made(MAP)
    assert not [text for text, _ in result.logs if "hunter2" in text or "refused" in text]
    assert [one.name for one in result.snapshot.some(ConfigMap)] == ["settings"]


def test_several_descriptions_in_one_text_are_told_apart() -> None:
    snapshot = made(f"{SERVICE}\n\n{DEPLOYMENT}\n\n{POD}").snapshot
    assert {ref.kind for ref in snapshot.refs()} == {"Service", "Deployment", "Pod"}


def test_a_node_has_its_conditions_taints_and_room() -> None:
    (node,) = made(NODE).snapshot.some(Node)
    ready = node.condition("Ready")
    assert ready is not None
    assert (ready.status, ready.reason) == ("Unknown", "NodeStatusUnknown")
    assert [taint.key for taint in node.spec.taints or ()] == [
        "node.kubernetes.io/unreachable",
        "sku",
    ]
    assert (node.pool, node.spec.unschedulable) == ("np1", True)
    assert (node.status.allocatable or {})["cpu"] == "1900m"


def test_a_condition_says_its_message() -> None:
    assert "Kubelet stopped posting node status." in made(NODE).texts[0].text


def test_a_service_has_its_selector_and_ports() -> None:
    (service,) = made(SERVICE).snapshot.some(Service)
    assert service.spec.selector == {"app": "cart", "tier": "front"}
    assert [(p.port, p.target_port) for p in service.spec.ports or ()] == [(80, 8080)]
    assert not (service.status.load_balancer and service.status.load_balancer.ingress)


def test_a_deployment_has_its_numbers_and_conditions() -> None:
    (deployment,) = made(DEPLOYMENT).snapshot.some(Deployment)
    assert (deployment.spec.replicas, deployment.status.unavailable_replicas) == (3, 1)
    assert [c.reason for c in deployment.status.conditions or ()] == [
        "MinimumReplicasAvailable",
        "ProgressDeadlineExceeded",
    ]


def test_events_of_an_old_kubectl_are_counted() -> None:
    result = made(CLAIM)
    (claim,) = result.snapshot.some(PersistentVolumeClaim)
    assert claim.status.phase == "Pending"
    assert (result.texts[0].text, result.texts[0].times) == (
        "ProvisioningFailed: storageclass not found",
        12,
    )


def test_a_budget_has_its_counts() -> None:
    (budget,) = made(BUDGET).snapshot.some(PodDisruptionBudget)
    assert (budget.status.disruptions_allowed, budget.status.expected_pods) == (0, 1)


def test_an_azure_object_has_its_ready_condition() -> None:
    (thing,) = made(ASO).snapshot.some(AsoObject)
    assert (thing.object_kind, thing.namespace, thing.is_unwell) == (
        "ManagedCluster",
        "infra",
        True,
    )


def test_a_document_of_the_same_pod_beats_its_description() -> None:
    whole = (
        '{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"shop","resourceVersion":"987654",'
        '"name":"web-7d9f8b6c5-x2x4q"},"status":{"phase":"Running"}}'
    )
    (pod,) = made(
        f"{POD}\n$ kubectl get pod web-7d9f8b6c5-x2x4q -n shop -o json\n{whole}\n"
    ).snapshot.some(Pod)
    assert pod.metadata.resource_version == "987654"


def test_notes_with_a_name_are_no_description() -> None:
    assert not len(made("Name: Joe\nPhone: 12\nThe cluster is slow.\n").snapshot)


@pytest.mark.parametrize("text", [POD, MAP, NODE, SERVICE, CLAIM, ASO])
def test_a_description_may_break_off_anywhere(text: str) -> None:
    for end in range(0, len(text), 17):
        assert made(text[:end]) is not None


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([*POD.split("\n"), *ASO.split("\n"), *MAP.split("\n")]), max_size=80)
)
def test_lines_in_any_order_are_read(lines: list[str]) -> None:
    assert made("\n".join(lines)) is not None


def test_events_alone_are_of_one_pod_that_is_not_named() -> None:
    events = (
        "Events:\n"
        "  Type     Reason            Age   From               Message\n"
        "  ----     ------            ----  ----               -------\n"
        "  Warning  FailedScheduling  5m    default-scheduler  0/3 nodes are available: 3 Insufficient cpu.\n"
        "  Normal   Scheduled         4m    default-scheduler  Successfully assigned shop/cart to aks-1\n"
    )
    told = [text for text in made(events).texts if text.channel == "event"]
    assert [str(text.about) for text in told] == ["pod/<namespace>/<pod>"] * 2


def test_a_quota_has_what_is_used_and_allowed() -> None:
    result = made(QUOTA + "\nand then\n")
    (quota,) = result.snapshot.some(ResourceQuota)
    assert (quota.namespace, quota.name) == ("pay", "team")
    assert (quota.status.used, quota.status.hard) == (
        {"limits.memory": "16Gi", "pods": "8"},
        {"limits.memory": "16Gi", "pods": "40"},
    )


def test_a_limit_range_has_its_bounds() -> None:
    (range_,) = made(LIMITS).snapshot.some(LimitRange)
    memory, cpu = list(range_.spec.limits or ())
    assert (memory.type, memory.min, memory.max) == ("Container", None, {"memory": "4Gi"})
    assert (memory.default_request, cpu.default) == ({"memory": "128Mi"}, {"cpu": "500m"})


@pytest.mark.parametrize("kept", [2, 3, 4])
def test_a_quota_that_breaks_off_is_no_quota_or_an_empty_one(kept: int) -> None:
    cut = "\n".join(QUOTA.split("\n")[:kept])
    found = made(cut).snapshot.grouped(ResourceQuota, "kind", "ResourceQuota")
    assert not any(one.status.hard for one in found)
