"""What stands above the pods of a made-up estate: workloads, services, cluster and pools."""

from bench.estate_templates import BORN, CLUSTER_ID, PROXY, SUBNET, VERSION, Json, container

POD_RANGE = "10.128.0.0/9"
SERVICE_RANGE = "172.16.0.0/16"
POOL_SIZE = 1000


def _metadata(name: str) -> Json:
    return {
        "name": name,
        "namespace": "<namespace>",
        "uid": "<uid>",
        "resourceVersion": "<version>",
        "generation": 3,
        "creationTimestamp": BORN,
        "labels": {"app": "<app>", "team": "<namespace>"},
    }


def deployment() -> Json:
    template = {
        "metadata": {"labels": {"app": "<app>", "team": "<namespace>"}},
        "spec": {
            "containers": [
                container("app", "<image>", "<cpu>", "256Mi"),
                container("proxy", PROXY, "50m", "64Mi"),
            ],
            "restartPolicy": "Always",
            "serviceAccountName": "<app>",
        },
    }
    return {
        "metadata": _metadata("<app>"),
        "spec": {
            "replicas": "<#replicas>",
            "selector": {"matchLabels": {"app": "<app>"}},
            "template": template,
            "strategy": {
                "type": "RollingUpdate",
                "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"},
            },
            "revisionHistoryLimit": 10,
            "progressDeadlineSeconds": 600,
        },
        "status": {
            "observedGeneration": 3,
            "replicas": "<#replicas>",
            "updatedReplicas": "<#replicas>",
            "readyReplicas": "<#ready>",
            "availableReplicas": "<#ready>",
            "unavailableReplicas": "<#unready>",
            "conditions": "<#conditions>",
        },
    }


def service() -> Json:
    return {
        "metadata": _metadata("<app>"),
        "spec": {
            "ports": [{"name": "http", "protocol": "TCP", "port": 80, "targetPort": 8080}],
            "selector": {"app": "<app>"},
            "clusterIP": "<address>",
            "clusterIPs": ["<address>"],
            "type": "ClusterIP",
            "sessionAffinity": "None",
            "ipFamilies": ["IPv4"],
            "ipFamilyPolicy": "SingleStack",
            "internalTrafficPolicy": "Cluster",
        },
        "status": {"loadBalancer": {}},
    }


def budget() -> Json:
    return {
        "metadata": _metadata("<app>"),
        "spec": {"maxUnavailable": "25%", "selector": {"matchLabels": {"app": "<app>"}}},
        "status": {
            "observedGeneration": 3,
            "disruptionsAllowed": "<#allowed>",
            "currentHealthy": "<#ready>",
            "desiredHealthy": "<#desired>",
            "expectedPods": "<#replicas>",
        },
    }


def pools(nodes: int) -> list[Json]:
    count = -(-nodes // POOL_SIZE)
    return [_pool(i, min(POOL_SIZE, nodes - i * POOL_SIZE)) for i in range(count)]


def pool_name(index: int) -> str:
    return "system" if index == 0 else f"user{index:02}"


def pool_mode(index: int) -> str:
    return "System" if index == 0 else "User"


def _pool(index: int, count: int) -> Json:
    name = pool_name(index)
    return {
        "availabilityZones": ["1", "2", "3"],
        "count": count,
        "currentOrchestratorVersion": VERSION,
        "enableAutoScaling": False,
        "id": f"{CLUSTER_ID}/agentPools/{name}",
        "maxCount": None,
        "maxPods": 110,
        "minCount": None,
        "mode": pool_mode(index),
        "name": name,
        "nodeImageVersion": "AKSUbuntu-2204gen2containerd-202512.15.0",
        "nodeTaints": None,
        "orchestratorVersion": VERSION,
        "osDiskSizeGb": 128,
        "osDiskType": "Managed",
        "osSku": "Ubuntu",
        "osType": "Linux",
        "powerState": {"code": "Running"},
        "provisioningState": "Succeeded",
        "resourceGroup": "rg-big",
        "type": "Microsoft.ContainerService/managedClusters/agentPools",
        "typePropertiesType": "VirtualMachineScaleSets",
        "upgradeSettings": {"maxSurge": "10%", "drainTimeoutInMinutes": None},
        "vmSize": "Standard_D16ds_v5",
        "vnetSubnetId": SUBNET,
    }


def cluster(nodes: int) -> Json:
    return {
        "agentPoolProfiles": [{**pool, "type": "VirtualMachineScaleSets"} for pool in pools(nodes)],
        "apiServerAccessProfile": None,
        "autoUpgradeProfile": {"nodeOsUpgradeChannel": "NodeImage", "upgradeChannel": "patch"},
        "currentKubernetesVersion": VERSION,
        "disableLocalAccounts": True,
        "dnsPrefix": "aks-big",
        "enableRbac": True,
        "fqdn": "aks-big-a1b2c3d4.hcp.westeurope.azmk8s.io",
        "id": CLUSTER_ID,
        "identity": {"type": "SystemAssigned"},
        "kubernetesVersion": VERSION,
        "location": "westeurope",
        "maxAgentPools": 100,
        "name": "aks-big",
        "networkProfile": {
            "dnsServiceIp": "172.16.0.10",
            "ipFamilies": ["IPv4"],
            "loadBalancerSku": "standard",
            "natGatewayProfile": {"managedOutboundIpProfile": {"count": 16}},
            "networkPlugin": "azure",
            "networkPluginMode": "overlay",
            "outboundType": "managedNATGateway",
            "podCidr": POD_RANGE,
            "podCidrs": [POD_RANGE],
            "serviceCidr": SERVICE_RANGE,
            "serviceCidrs": [SERVICE_RANGE],
        },
        "nodeResourceGroup": "MC_rg-big_aks-big_westeurope",
        "powerState": {"code": "Running"},
        "provisioningState": "Succeeded",
        "resourceGroup": "rg-big",
        "sku": {"name": "Base", "tier": "Standard"},
        "supportPlan": "KubernetesOfficial",
        "type": "Microsoft.ContainerService/ManagedClusters",
    }
