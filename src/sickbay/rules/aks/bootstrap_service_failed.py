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
    title="A service or setting on the node failed during bootstrap",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CREATION),
    detect=(
        Signature(
            pattern=printed(Ending.NODE) + r"|Cannot find path 'C:\\AzureData\\CSEResult\.log'",
            says="the bootstrap of a node ended inside the node",
            sample="vmssCSE error messages : {vmssCSE exit status=34, output=Job for kubelet.service failed because the control process exited with error code",
            near_miss="vmssCSE exit status=0, output=kubelet.service started",
        ),
    ),
    why="The script got what it needed from outside, but systemd, the kubelet, containerd or a setting on the node did not come up. Custom kubelet or OS settings, a damaged image or a custom certificate are the usual reasons; the exit code names the step.",
    remedy=(
        Step(
            "Read the bootstrap log and the journal of the services.",
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
                "tail -80 /var/log/azure/cluster-provision.log; systemctl --failed; journalctl -u kubelet -n 50 --no-pager",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Take back custom kubelet or Linux OS settings of the pool, if there are any, and replace the instance.",
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
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/node-not-ready-custom-script-extension-errors",
    ),
    leads_to=("aks.vm_extension_failed",),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
