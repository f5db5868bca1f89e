"""The objects of a made-up estate, each once, with places left open that differ between copies."""

import json
import re
from collections.abc import Mapping

Json = dict[str, object]

SUBSCRIPTION = "/subscriptions/11111111-2222-3333-4444-555555555555"
GROUP = f"{SUBSCRIPTION}/resourceGroups/rg-big"
CLUSTER_ID = f"{GROUP}/providers/Microsoft.ContainerService/managedClusters/aks-big"
SUBNET = f"{GROUP}/providers/Microsoft.Network/virtualNetworks/vnet-big/subnets/nodes"
VERSION = "1.33.4"
BORN = "2026-01-05T08:00:00Z"
NODE_IMAGES = 16
PROXY = "contoso.azurecr.io/mesh/proxy:1.22.3"
SETTINGS = 3


class Template:
    """A document in which `<word>` is filled in as text and `"<#word>"` as bare JSON."""

    def __init__(self, document: Json, indent: int | None = None, depth: int = 0) -> None:
        separators = (",", ":") if indent is None else (",", ": ")
        text = json.dumps(document, indent=indent, separators=separators).replace("%", "%%")
        text = re.sub(r'"<#(\w+)>"', r"%(\1)s", text)
        text = re.sub(r"<(\w+)>", r"%(\1)s", text)
        self._text = text.replace("\n", "\n" + " " * depth)

    def fill(self, words: Mapping[str, object]) -> bytes:
        return (self._text % words).encode()


def container(name: str, image: str, cpu: str, memory: str) -> Json:
    port = 15090 if name == "proxy" else 8080
    probe = {
        "httpGet": {"path": "/healthz", "port": port, "scheme": "HTTP"},
        "timeoutSeconds": 1,
        "periodSeconds": 10,
        "successThreshold": 1,
        "failureThreshold": 3,
    }
    variables: list[Json] = [
        {"name": f"SETTING_{i}", "value": f"value-of-setting-{i}-of-{name}"}
        for i in range(SETTINGS)
    ]
    by_field = {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}
    resources = {"cpu": cpu, "memory": memory}
    return {
        "name": name,
        "image": image,
        "ports": [{"name": f"http-{name}", "containerPort": port, "protocol": "TCP"}],
        "env": [*variables, {"name": "POD_NAME", "valueFrom": by_field}],
        "resources": {"limits": resources, "requests": resources},
        "volumeMounts": [
            {"name": "config", "readOnly": True, "mountPath": "/etc/config"},
            {
                "name": "kube-api-access",
                "readOnly": True,
                "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount",
            },
        ],
        "livenessProbe": probe,
        "readinessProbe": probe,
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
        "imagePullPolicy": "IfNotPresent",
    }


def pod() -> Json:
    labels = {"app": "<app>", "pod-template-hash": "<hash>", "team": "<namespace>"}
    owner = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "name": "<app>-<hash>",
        "uid": "<owner_uid>",
        "controller": True,
        "blockOwnerDeletion": True,
    }
    metadata = {
        "name": "<name>",
        "generateName": "<app>-<hash>-",
        "namespace": "<namespace>",
        "uid": "<uid>",
        "resourceVersion": "<version>",
        "creationTimestamp": BORN,
        "labels": labels,
        "annotations": {"prometheus.io/scrape": "true", "checksum/config": "<uid>"},
        "ownerReferences": [owner],
    }
    return {"metadata": metadata, "spec": _pod_spec(), "status": "<#status>"}


def _pod_spec() -> Json:
    tolerations = [
        {
            "key": f"node.kubernetes.io/{key}",
            "operator": "Exists",
            "effect": "NoExecute",
            "tolerationSeconds": 300,
        }
        for key in ("not-ready", "unreachable")
    ]
    access: Json = {"name": "kube-api-access", "projected": {"sources": [], "defaultMode": 420}}
    return {
        "volumes": [{"name": "config", "configMap": {"name": "<app>", "defaultMode": 420}}, access],
        "containers": [
            container("app", "<image>", "<cpu>", "256Mi"),
            container("proxy", PROXY, "50m", "64Mi"),
        ],
        "restartPolicy": "Always",
        "terminationGracePeriodSeconds": 30,
        "dnsPolicy": "ClusterFirst",
        "serviceAccountName": "<app>",
        "serviceAccount": "<app>",
        "nodeName": "<node>",
        "securityContext": {"runAsNonRoot": True, "runAsUser": 10001, "fsGroup": 10001},
        "schedulerName": "default-scheduler",
        "tolerations": tolerations,
        "priority": 0,
        "enableServiceLinks": True,
        "preemptionPolicy": "PreemptLowerPriority",
    }


def event() -> Json:
    return {
        "metadata": {
            "name": "<object>.<uid>",
            "namespace": "<namespace>",
            "uid": "<uid>",
            "resourceVersion": "<version>",
            "creationTimestamp": "<at>",
            "managedFields": [_event_fields()],
        },
        "involvedObject": {
            "kind": "<kind>",
            "namespace": "<namespace>",
            "name": "<object>",
            "uid": "<object_uid>",
            "apiVersion": "v1",
            "resourceVersion": "<version>",
            "fieldPath": "<field>",
        },
        "reason": "<reason>",
        "message": "<message>",
        "source": {"component": "<component>", "host": "<host>"},
        "firstTimestamp": "<at>",
        "lastTimestamp": "<at>",
        "count": "<#count>",
        "type": "<type>",
        "eventTime": None,
        "reportingComponent": "<component>",
        "reportingInstance": "<host>",
    }


def _event_fields() -> Json:
    names = ("count", "firstTimestamp", "lastTimestamp", "message", "reason", "type")
    return {
        "manager": "<component>",
        "operation": "Update",
        "apiVersion": "v1",
        "time": "<at>",
        "fieldsType": "FieldsV1",
        "fieldsV1": {
            **{f"f:{name}": {} for name in names},
            "f:involvedObject": {},
            "f:source": {"f:component": {}, "f:host": {}},
        },
    }


def node() -> Json:
    label = {
        "agentpool": "<pool>",
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.azure.com/agentpool": "<pool>",
        "kubernetes.azure.com/cluster": "MC_rg-big_aks-big_westeurope",
        "kubernetes.azure.com/mode": "<mode>",
        "kubernetes.azure.com/node-image-version": "AKSUbuntu-2204gen2containerd-202512.15.0",
        "kubernetes.azure.com/os-sku": "Ubuntu",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": "<name>",
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": "Standard_D16ds_v5",
        "topology.kubernetes.io/region": "westeurope",
        "topology.kubernetes.io/zone": "westeurope-<zone>",
    }
    metadata = {
        "annotations": {"node.alpha.kubernetes.io/ttl": "0"},
        "creationTimestamp": BORN,
        "labels": label,
        "name": "<name>",
        "resourceVersion": "<version>",
        "uid": "<uid>",
    }
    provider = (
        f"azure://{SUBSCRIPTION}/resourceGroups/mc_rg-big_aks-big_westeurope/providers/"
        "Microsoft.Compute/virtualMachineScaleSets/aks-<pool>-vmss/virtualMachines/<instance>"
    )
    spec: Json = {"podCIDR": "<range>", "podCIDRs": ["<range>"], "providerID": provider}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": metadata,
        "spec": {**spec, "taints": "<#taints>"},
        "status": _node_status(),
    }


def _node_status() -> Json:
    room = {"cpu": "16", "ephemeral-storage": "129886128Ki", "memory": "65851340Ki", "pods": "110"}
    image = "mcr.microsoft.com/oss/kubernetes/component-{0:02}"
    return {
        "addresses": [
            {"address": "<address>", "type": "InternalIP"},
            {"address": "<name>", "type": "Hostname"},
        ],
        "allocatable": {**room, "cpu": "15740m", "memory": "60000000Ki"},
        "capacity": room,
        "conditions": "<#conditions>",
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
        "images": [
            {
                "names": [
                    f"{image.format(i)}@sha256:{i:064x}",
                    f"{image.format(i)}:v1.{i}.0",
                ],
                "sizeBytes": 10_000_000 + i,
            }
            for i in range(NODE_IMAGES)
        ],
        "nodeInfo": {
            "architecture": "amd64",
            "containerRuntimeVersion": "containerd://1.7.29-1",
            "kernelVersion": "5.15.0-1102-azure",
            "kubeProxyVersion": f"v{VERSION}",
            "kubeletVersion": f"v{VERSION}",
            "operatingSystem": "linux",
            "osImage": "Ubuntu 22.04.5 LTS",
        },
    }
