"""The things that a text names are found in the wordings that programs use."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle.names import subjects, words
from sickbay.model.ids import Ref

SUBSCRIPTION = "/subscriptions/00000000-0000-0000-0000-000000000000"
GROUP = f"{SUBSCRIPTION}/resourceGroups/rg-1"
CLUSTER = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/prod"
SUBNET = f"{GROUP}/providers/Microsoft.Network/virtualNetworks/v/subnets/s"
NODE = "aks-np1-31415926-vmss00000a"

FIRST = {
    "an ARM id": (f"over scope '{CLUSTER}' or the scope is invalid", CLUSTER),
    "an ARM id before a full stop": (f"Subnet {SUBNET}.", SUBNET),
    "an ARM id in brackets": (f"the network ({SUBNET})", SUBNET),
    "an ARM id in a URL": (f"PUT https://management.azure.com{CLUSTER}?api-version=1", CLUSTER),
    "an ARM id in lower case": (CLUSTER.lower(), CLUSTER),
    "an ARM id with a placeholder": (
        "in /subscriptions/<subscription-id>/resourceGroups/rg/providers/A.B/c/d failed",
        "/subscriptions/<subscription-id>/resourceGroups/rg/providers/A.B/c/d",
    ),
    "an ARM id escaped in JSON": (f'{{\\"id\\":\\"{CLUSTER}\\"}}', CLUSTER),
    "a resource before its operation": (
        f"{SUBSCRIPTION}/providers/A.B/locations/westus/operations/1 for {CLUSTER}",
        CLUSTER,
    ),
    "a group if no resource is named": (f"{SUBSCRIPTION} and {GROUP}", GROUP),
    "a subscription if nothing else is": (f"in {SUBSCRIPTION}.", SUBSCRIPTION),
    "a pod with its uid": (
        'Error syncing pod "web-0_shop(3f2504e0-4f89-11d3-9a0c-0305e82c3301)", skipping',
        "pod/shop/web-0",
    ),
    "a pod of the network plugin": (
        'cni failed to set up pod "web-1_shop" network',
        "pod/shop/web-1",
    ),
    "a pod with its namespace": ("objects for pod shop/web, err: x", "pod/shop/web"),
    "a pod of klog": ('"x" pod="shop/web-0" node="n"', "pod/shop/web-0"),
    "a pod of logfmt": ("level=error pod=shop/web-0 msg=x", "pod/shop/web-0"),
    "a pod of an API error": ('pods "web" not found', "pod/web"),
    "a pod and its namespace elsewhere": (
        'pods "web" is forbidden: User "u" cannot get "pods" in the namespace "shop"',
        "pod/shop/web",
    ),
    "a pod with a flag": ("Pod/web -n shop", "pod/shop/web"),
    "a pod in a table": ("32m  Warning  BackOff  pod/web-0  Back-off", "pod/web-0"),
    "a pod that is evicted": (f"Drain node {NODE} failed when evicting pod web-7d9", "pod/web-7d9"),
    "a pod in an API path": (
        'Get "https://x/api/v1/namespaces/shop/pods/web-0": EOF',
        "pod/shop/web-0",
    ),
    "a pod in a kubelet path": (
        f'Get "https://{NODE}:10250/containerLogs/shop/web-0/c": timeout',
        "pod/shop/web-0",
    ),
    "a node by its words": (f'node "{NODE}" is not ready', f"node/{NODE}"),
    "a node of an event": (
        "kubelet, aks-nodepool1-29460110-0  Mount failed",
        "node/aks-nodepool1-29460110-0",
    ),
    "a node of klog": ('"x" node="worker-1"', "node/worker-1"),
    "a node anywhere": (f"2021,{NODE} Connection to mcr", f"node/{NODE}"),
    "a deployment": ('deployment "web" exceeded its progress deadline', "deployment/web"),
    "a deployment with its group": ('deployments.apps "web" not found', "deployment/web"),
    "a daemon set": ("daemonset kube-system/proxy is not ready", "daemonset/kube-system/proxy"),
    "a claim": ('persistentvolumeclaim "data-0" not found', "persistentvolumeclaim/data-0"),
    "a service": ("service shop/web has no endpoints", "service/shop/web"),
    "a secret": ('secret "shop/key" does not contain', "secret/shop/key"),
    "an object of another group": (
        'NetworkSecurityGroup.network.azure.com "nsg1" not found',
        "networksecuritygroup/nsg1",
    ),
    "a namespace": ('namespace "shop" is terminating', "namespace/shop"),
    "a resource of the operator": (
        'err="x" logger="containerservice_managedcluster" name="aks1" namespace="infra"',
        "managedcluster/infra/aks1",
    ),
    "a resource of the operator in JSON": (
        '{"logger": "cache_redis", "name": "r1", "namespace": "infra"}',
        "redis/infra/r1",
    ),
    "a resource of the old operator": (
        'd.go:144] cache_redis "msg"="x" "name"="r1" "namespace"="infra"',
        "redis/infra/r1",
    ),
    "a looked-up host": (
        "dial tcp: lookup Esx.lab.local on 10.0.0.10:53: no such host",
        "esx.lab.local",
    ),
    "a host that node could not look up": (
        "[error] getaddrinfo EAI_AGAIN cart.shop.svc.cluster.local",
        "cart.shop.svc.cluster.local",
    ),
    "a host of one word": ("Error: getaddrinfo ENOTFOUND redis", "redis"),
    "a host that curl could not look up": (
        "curl: (6) Could not resolve host: Api.contoso.com",
        "api.contoso.com",
    ),
    "a host that ssh could not look up": (
        "ssh: Could not resolve hostname git.lab: Temporary failure in name resolution",
        "git.lab",
    ),
    "a host that python could not look up": (
        "NameResolutionError(\"Failed to resolve 'redis' ([Errno -3] Temporary failure in name"
        ' resolution)")',
        "redis",
    ),
    "a host that java could not look up": (
        "Caused by: java.net.UnknownHostException: db.lab: Name or service not known",
        "db.lab",
    ),
    "a host that wget could not look up": (
        "wget: unable to resolve host address 'files.lab'",
        "files.lab",
    ),
    "a host that busybox could not look up": ("wget: bad address 'files.lab'", "files.lab"),
    "a host that apt could not look up": (
        "Temporary failure resolving 'deb.debian.org'",
        "deb.debian.org",
    ),
    "a host that psql could not look up": (
        'could not translate host name "pg" to address: Name or service not known',
        "pg",
    ),
    "a host before what the resolver says": (
        "ping: db.lab: Temporary failure in name resolution",
        "db.lab",
    ),
    "a dialled address": ("dial tcp 10.0.0.1:443: i/o timeout", "10.0.0.1"),
    "the host of a URL": ('Head "https://mcr.microsoft.com/v2/": EOF', "mcr.microsoft.com"),
}


@pytest.mark.parametrize(("text", "expected"), FIRST.values(), ids=FIRST.keys())
def test_the_first_subject(text: str, expected: str) -> None:
    assert subjects(text)[0] == Ref("", expected)


def test_the_kind_of_a_resource_is_the_one_its_id_spells() -> None:
    assert subjects(SUBNET)[0].kind == "Microsoft.Network/virtualNetworks/subnets"


def test_the_order_is_pod_resource_node_host() -> None:
    text = f'https://x.local {NODE} {SUBNET} pod="shop/web"'
    assert [ref.name for ref in subjects(text)] == ["web", "s", NODE, "x.local"]


def test_a_name_is_given_once() -> None:
    assert subjects('pods "web" in namespace "shop": pod shop/web')[:1] == (
        Ref("", "pod/shop/web"),
    )
    assert len(subjects('pods "web" in namespace "shop": pod shop/web')) == 2


@pytest.mark.parametrize(
    "prose",
    [
        "The pod sandbox changed and the node is gone; the service mesh is fine.",
        "Please see https://aka.ms/aks/x and https://learn.microsoft.com/azure for more.",
        "0/3 nodes are available: 3 Insufficient cpu.",
        "npm ERR! code ENOTFOUND npm ERR! errno ENOTFOUND",
        "Failed to resolve the extension version from the given values.",
        "socket.gaierror: Temporary failure in name resolution",
        "could not resolve host: <hostname>",
        "",
    ],
)
def test_prose_names_nothing(prose: str) -> None:
    assert subjects(prose) == ()


FACTS = {
    "an id": (
        f"{CLUSTER}/agentPools/np1 failed",
        {
            "subscription": "00000000-0000-0000-0000-000000000000",
            "resource_group": "rg-1",
            "cluster": "prod",
            "pool": "np1",
        },
    ),
    "an internal error": (
        "Correlation ID: 2fe0ae77-cde5-41eb-b60e-aa6a5dc40c11, "
        "Operation ID: b340f325-11b2-413e-9c54-b190b1c75ce1, Timestamp: 2022-11-24T11:48:53Z.",
        {
            "correlation_id": "2fe0ae77-cde5-41eb-b60e-aa6a5dc40c11",
            "operation_id": "b340f325-11b2-413e-9c54-b190b1c75ce1",
        },
    ),
    "a quota": (
        'Code="QuotaExceeded" Message="Location: eastus2, Current Limit: 10, size Standard_D4s_v3"',
        {"code": "QuotaExceeded", "location": "eastus2", "vm_size": "Standard_D4s_v3"},
    ),
    "an error of az": (
        "(SubnetIsFull) prefix 10.1.0.0/24",
        {"code": "SubnetIsFull", "prefix": "10.1.0.0/24"},
    ),
    "a pod on a node": (
        f'pod="shop/web-0" node="{NODE}" 10.0.0.4 failed',
        {"pod": "web-0", "namespace": "shop", "node": NODE, "ip": "10.0.0.4"},
    ),
    "two values of one fact": ("10.0.0.4 and 10.0.0.5", {}),
    "one value in two spellings": (
        "Resource group 'RG' and resource group 'rg'",
        {"resource_group": "RG"},
    ),
    "a sentence about a location": ("The location is wrong", {}),
}


@pytest.mark.parametrize(("text", "expected"), FACTS.values(), ids=FACTS.keys())
def test_the_facts_of_a_text(text: str, expected: dict[str, str]) -> None:
    assert dict(words(text)) == expected


@given(st.text(max_size=80))
@settings(max_examples=100, deadline=None)
def test_any_text_has_names_or_none(text: str) -> None:
    assert all(ref.id for ref in subjects(text))
    assert all(words(text).values())
