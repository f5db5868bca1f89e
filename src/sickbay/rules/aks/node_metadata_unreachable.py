from sickbay.model.cse import Ending, printed
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
)

RULE = Rule(
    title="Nodes cannot read the instance metadata service (IMDS) at 169.254.169.254",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.IDENTITY, Category.NODES),
    detect=(
        Signature(
            pattern=printed(Ending.METADATA),
            says="the bootstrap of a node could not read instance metadata",
            sample="VM has reported a failure when processing extension 'vmssCSE'. Error message: Enable failed: failed to execute command: command terminated with exit status=234",
            near_miss="failed to execute command: command terminated with exit status=2340",
        ),
        Signature(
            pattern=r"169\.254\.169\.254\S{0,200}?:? .{0,60}?(?:i/o timeout|context deadline exceeded|connection refused|no route to host|Connection timed out)|ManagedIdentityCredential authentication (?:failed|unavailable)|no response from the IMDS endpoint|managed identity timed out",
            unless=r"(?i)multiple user assigned|identity not found|has not been assigned|isn.{1,2}t assigned|\bWorkloadIdentityCredential\b|auto-?repair|Node(?:Reboot|Reimage|Redeploy)Error",
            says="the instance metadata service did not answer",
            sample='Get "http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01": context deadline exceeded',
            near_miss="GET http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01 200 OK",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="Managed identity, tags and certificates come from the instance metadata service. A route, a proxy setting, a host firewall or a node that did not initialise its identity keeps 169.254.169.254 from answering, and every token request fails.",
    remedy=(
        Step(
            "Ask for metadata on the node itself.",
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
                "curl -s -H Metadata:true --noproxy '*' 'http://169.254.169.254/metadata/instance?api-version=2021-02-01' | head -c 200",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Take 169.254.169.254 out of proxies, routes and network policies.",
            risk=Risk.DISRUPTIVE,
            verify="the same request wants JSON",
        ),
        Step(
            "If only one node is affected, replace it.",
            run=(
                "az",
                "vmss",
                "reimage",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-ids",
                "<instance>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants the node Ready",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service",),
    leads_to=(
        "aks.vm_extension_failed",
        "aks.auto_repair_failed",
        "kubernetes.registry_credential_missing",
    ),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
