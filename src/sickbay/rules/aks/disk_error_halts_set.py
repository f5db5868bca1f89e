from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A disk that cannot be processed on one machine stops the operation on the others of its set",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.NODES),
    detect=(
        Signature(
            pattern=r"processing of VM '(?P<halted>[^']{1,100})' is halted because of one or more disk processing errors encountered by VM '(?P<machine>[^']{1,100})'",
            says="the work on {halted} was halted by a disk of {machine}",
            sample="The processing of VM 'aks-np1-31-vmss_10' is halted because of one or more disk processing errors encountered by VM 'aks-np1-31-vmss_12' in the same Availability Set. Please resolve the error with VM 'aks-np1-31-vmss_12' before retrying the operation.",
            near_miss="The processing of VM 'aks-np1-31-vmss_10' is complete",
        ),
    ),
    why="Azure changes the machines of a set in groups, and stops a group at the first machine whose disk it cannot attach, detach or reimage. Only the machine that is named last in the message has the fault: mostly a data disk that was left half detached, or that is gone. The others wait for it.",
    remedy=(
        Step(
            "See the disks of {machine} and what its instance view says of them.",
            run=(
                "az",
                "vmss",
                "list-instances",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--expand",
                "instanceView",
                "--query",
                "[?name=='{machine}'].[provisioningState,storageProfile.dataDisks,instanceView.disks]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Detach the disk that is in error from it, or delete the instance after its node was drained; then repeat the operation.",
            risk=Risk.DISRUPTIVE,
            verify="az vmss list-instances -g {node_resource_group} -n <scale-set> --query [].provisioningState wants only Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    leads_to=("aks.instance_failed", "aks.operation_failed"),
    ask="az vmss list-instances -g <node-group> -n <scale-set> --expand instanceView -o json",
)
