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
    title="Nodes cannot connect to the Kubernetes API server during bootstrap (exit code 51)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES, Category.CREATION),
    detect=(
        Signature(
            pattern=printed(Ending.API_SERVER),
            says="the bootstrap of a node ended because the API server did not answer",
            sample='VM has reported a failure when processing extension \'vmssCSE\'. Error message: "Enable failed: failed to execute command: command terminated with exit status=51 [stdout] { "ExitCode": "51", "Output": "Thu Oct 14 18:07:37 UTC 2021,aks-np1-31-vmss000000 Connection to',
            near_miss="failed to execute command: command terminated with exit status=151 [stdout]",
        ),
        Signature(
            pattern=r"(?i)K8SAPIServerConnFail(?:VMExtensionError)?\b|unable to establish connection (?:from agents )?to Kubernetes API server|agents are unable to establish connection to Kubernetes API server|could not reach API server at (?P<server>[\w.:-]+)|API server IP: [\w.:<>-]+ ?\. Connection (?:refused|timed out)|API server port is not accepting connections",
            says="nodes cannot connect to the API server",
            sample="Code: VMExtensionProvisioningError Message: CSE failed with 'VMExtensionError_K8SAPIServerConnFail'. Agents are unable to establish connection to Kubernetes API server.",
            near_miss="Agents have established their connection to the API server (K8SAPIServerConn ok)",
        ),
    ),
    why="The node resolved the name of the API server but got no connection to its port 443: a security group, firewall or route drops it, or authorized IP ranges leave out the address that the nodes come from. A refused connection means that the API server was not up, a failed TLS handshake that a proxy stands between (`K8SAPIServerConnFailVMExtensionError`, exit code 51).",
    remedy=(
        Step(
            "Try the API server from a node of the same subnet.",
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
                "nc -vz <api-server-fqdn> 443",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See who may reach the API server, and whether the cluster runs.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "{power:powerState.code,access:apiServerAccessProfile,outbound:networkProfile.outboundType}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the cluster's FQDN on port 443 in firewall, security group and routes; with authorized ranges, add the address that the nodes come out of.",
            risk=Risk.DISRUPTIVE,
            verify="nc -vz <api-server-fqdn> 443 on the node wants: succeeded",
        ),
        Step(
            "Reconcile the cluster, so that its nodes are provisioned again.",
            run=("az", "aks", "update", "-g", "{resource_group}", "-n", "{cluster}", "--yes"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/vmextensionerror-k8sapiserverconnfail",
    ),
    leads_to=("aks.vm_extension_failed",),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
