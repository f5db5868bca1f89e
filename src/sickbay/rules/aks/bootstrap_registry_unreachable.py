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
    title="The bootstrap container registry of a network-isolated cluster cannot be reached (exit code 211)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=printed(Ending.REGISTRY),
            says="the bootstrap of a node could not pull from the bootstrap registry",
            sample="VMExtensionProvisioningError: VM reported a failure when processing extension 'vmssCSE'. Error message: Enable failed: failed to execute command: command terminated with exit status=211 Bootstrap Container Registry isn't reachable.",
            near_miss="failed to execute command: command terminated with exit status=2110",
        ),
        Signature(
            pattern=r"(?i)OrasPullNetworkTimeout(?:VMExtensionError)?\b|Bootstrap Container Registry (?:isn't|is not) reachable",
            says="the bootstrap registry is not reachable",
            sample="Bootstrap Container Registry isn't reachable. Check the network configuration and try again.",
            near_miss="Bootstrap Container Registry is reachable",
        ),
    ),
    why="Nodes of a network-isolated cluster take everything from a private bootstrap registry (ACR). Its private endpoint, the private DNS zone behind its name or its cache rule for mcr.microsoft.com does not work, so the pull with oras times out.",
    remedy=(
        Step(
            "See which registry the cluster boots from.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "bootstrapProfile.containerRegistryResourceId",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the cache rule from mcr.microsoft.com/* to aks-managed-repository/* is there.",
            run=("az", "acr", "cache", "list", "--registry", "<registry>", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Mend the private endpoint, the link of its DNS zone to the node network, and the cache rule.",
            risk=Risk.DISRUPTIVE,
            verify="nslookup <registry>.azurecr.io on a node wants a private address",
        ),
        Step(
            "Reconcile the cluster, so that its nodes are provisioned again.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/vmextensionerror-oraspullnetworktimeout",
        "https://learn.microsoft.com/azure/aks/network-isolated",
    ),
    leads_to=("aks.vm_extension_failed",),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
