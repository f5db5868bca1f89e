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
    title="Node bootstrap could not download Kubernetes binaries, the CNI plugin or packages",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES, Category.CREATION),
    detect=(
        Signature(
            pattern=printed(Ending.DOWNLOAD),
            says="the bootstrap of a node ended in a download",
            sample="VM has reported a failure when processing extension 'vmssCSE'. Error message: Enable failed: failed to execute command: command terminated with exit status=41 [stdout]",
            near_miss="failed to execute command: command terminated with exit status=410 [stdout]",
        ),
        Signature(
            pattern=r"(?i)K8SDownloadTimeout(?:VMExtensionError)?\b|CniDownloadTimeout(?:VMExtensionError)?\b|timeout downloading Kubernetes binaries from (?P<host>[\w.<>-]+)|AptUpdateTimeout|AptInstallTimeout|VMExtensionError_\w*Download\w*",
            says="the bootstrap of a node ended in a download",
            sample="CSE failed with 'VMExtensionError_K8SDownloadTimeout'. AKS node provisioning failed due to a timeout downloading Kubernetes binaries from packages.aks.azure.com. curl: (28) Connection timed out",
            near_miss="finished downloading Kubernetes binaries from packages.aks.azure.com",
        ),
    ),
    why="The bootstrap script fetches the Kubernetes binaries, the CNI (container network interface) plugin, and packages from packages.aks.azure.com, acs-mirror.azureedge.net, mcr.microsoft.com and the distribution's mirrors. A blocked host, an inspected TLS connection or a wrong proxy makes a download time out (exit codes 31, 41, 99 and their kin).",
    remedy=(
        Step(
            "Fetch from the same host on a node; the number that curl gives says what is wrong: 6 name, 7 and 28 connection, 22 with 403 proxy or firewall, 35 reset, 60 inspected TLS.",
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
                "curl -sSIv --connect-timeout 10 https://packages.aks.azure.com https://acs-mirror.azureedge.net",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the host on port 443 in firewall and proxy, and exempt it from TLS inspection.",
            risk=Risk.DISRUPTIVE,
            verify="curl -I on the node wants an HTTP status",
        ),
        Step(
            "Reconcile the cluster, so that its nodes are provisioned again.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/vmextensionerror-k8sdownloadtimeout",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/vmextensionerror-cnidownloadtimeout",
        "https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    ),
    leads_to=(
        "aks.vm_extension_failed",
        "aks.bootstrap_timeout",
        "network.connection_times_out",
        "network.name_resolution_fails",
    ),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
