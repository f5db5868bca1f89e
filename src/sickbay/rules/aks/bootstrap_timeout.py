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
    title="Node bootstrap did not finish in time",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=printed(Ending.TIMEOUT),
            says="the bootstrap of a node ran out of time",
            sample="VM has reported a failure when processing extension 'vmssCSE'. Error message: Enable failed: failed to execute command: command terminated with exit status=124",
            near_miss="failed to execute command: command terminated with exit status=1240",
        ),
        Signature(
            pattern=r"\bVMExtensionProvisioningTimeout\b|VMExtensionError_ProvisioningTimeout|Provisioning of VM extension '?(?P<extension>[\w.-]+)'? has timed out",
            says="the bootstrap of a node ran out of time",
            sample="VMExtensionProvisioningTimeout: Provisioning of VM extension vmssCSE has timed out. Extension provisioning has taken too long to complete.",
            near_miss="Provisioning of VM extension vmssCSE has completed in 143 seconds",
            weight=TYPICAL,
        ),
    ),
    why="The bootstrap script has a time limit (`VMExtensionProvisioningTimeout`, exit code 124). It is mostly spent waiting for downloads, name resolution or package locks that hang, so the last step in its log shows the cause.",
    remedy=(
        Step(
            "See which step took the time.",
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
                "tail -80 /var/log/azure/cluster-provision.log; ls -l /var/log/azure/Microsoft.Azure.Extensions.CustomScript/events | tail",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what that step waited for (egress, DNS, proxy), then replace the instance.",
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
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/vmextensionerror-provisioningtimeout",
    ),
    leads_to=("aks.vm_extension_failed",),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
