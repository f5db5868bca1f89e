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
    title="GPU or accelerator drivers could not be set up on the node",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CREATION),
    detect=(
        Signature(
            pattern=printed(Ending.ACCELERATOR),
            says="the bootstrap of a node ended in the setup of its accelerator",
            sample="vmssCSE exit status=85, output=nvidia driver install timed out",
            near_miss="vmssCSE exit status=850, output=done",
        ),
    ),
    why="Bootstrap of a GPU node installs and starts the driver, the device plug-in and their services. Blocked NVIDIA hosts, a size that the driver does not support, or faulty hardware (exit code 87) ends it.",
    remedy=(
        Step(
            "Read the last lines of the bootstrap log on the node.",
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
                "tail -80 /var/log/azure/cluster-provision.log; nvidia-smi",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow nvidia.github.io, download.microsoft.com and packages.microsoft.com; choose a size that AKS supports for GPU pools; replace a node whose hardware is faulty.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe node <node> wants nvidia.com/gpu under Allocatable",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-nvidia-gpu",),
    leads_to=("aks.vm_extension_failed",),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
