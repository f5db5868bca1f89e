from sickbay.model.cse import Ending, printed
from sickbay.rulekit import (
    Category,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
)

RULE = Rule(
    title="Nodes cannot resolve the API server name: the DNS servers of their network do not answer it (exit code 52)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES, Category.CREATION),
    detect=(
        Signature(
            pattern=printed(Ending.DNS),
            says="the bootstrap of a node ended because a name was not resolved",
            sample="vmssCSE error messages : {vmssCSE exit status=52, output=Fri Oct 15 10:06:00 UTC 2021,aks-np1-36-vmss000000 Connection to mcr.microsoft.com 443 port",
            near_miss="vmssCSE exit status=0, output=Fri Oct 15 10:06:00 UTC 2021 all names resolved",
        ),
        Signature(
            pattern=r"(?i)K8SAPIServerDNSLookupFail(?:VMExtensionError)?\b|K8SAPIServerAzureDNSLookupFail|\bLookupNoSuchHost\b|agents are unable to resolve Kubernetes API server name|unable to resolve Kubernetes API server name",
            says="nodes cannot resolve the name of the API server",
            sample="Agents are unable to resolve Kubernetes API server name. It's likely custom DNS server is not correctly configured, please see https://aka.ms/aks/private-cluster#hub-and-spoke-with-custom-dns for more information.",
            near_miss="Agents resolved the Kubernetes API server name. The custom DNS server is correctly configured",
        ),
    ),
    why="Nodes ask the DNS servers of their virtual network for the API server. A custom server without a forwarder to 168.63.129.16, a private zone that is not linked, or a server that refuses or does not answer the subnet ends the bootstrap with `K8SAPIServerDNSLookupFailVMExtensionError` (exit code 52; 53 when Azure DNS itself gave no answer).",
    remedy=(
        Step(
            "See which DNS servers the network hands out.",
            run=(
                "az",
                "network",
                "vnet",
                "show",
                "--ids",
                "<vnet-id>",
                "--query",
                "dhcpOptions.dnsServers",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Ask the custom server and Azure DNS for the same name; the difference shows who is at fault.",
            run=(
                "az",
                "vmss",
                "run-command",
                "invoke",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-id",
                "<instance>",
                "--command-id",
                "RunShellScript",
                "--scripts",
                "nslookup <api-server-fqdn>; nslookup <api-server-fqdn> 168.63.129.16",
            ),
            risk=Risk.READ,
        ),
        Step(
            "On the custom servers, forward the cluster's zone (for a private cluster privatelink.{location}.azmk8s.io) to 168.63.129.16; link the private zone to the network of those servers.",
            risk=Risk.DISRUPTIVE,
            verify="nslookup <api-server-fqdn> on the node wants an address",
        ),
        Step(
            "Reconcile the cluster, so that its nodes are provisioned again.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/vmextensionerror-k8sapiserverdnslookupfail",
    ),
    leads_to=(
        "aks.vm_extension_failed",
        "aks.bootstrap_timeout",
        "network.dns_server_silent",
        "network.name_resolution_fails",
    ),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
