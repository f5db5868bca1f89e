from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The VM is in a power state in which this change is not possible: stop (or start) it first",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)failed to add device 'Synthetic DVD Drive'|The attempted operation cannot be performed in the current state \(Powered (?:on|off)\)|ServerFaultCode: The operation is not (?:allowed|supported) in the current state|moc-operator virtualmachine .{0,300}?(?:cannot be performed while the virtual machine is in its current state|operation cannot be performed while (?:the|this) (?:virtual machine|vm) is (?:running|on))",
            says="the power state of the VM does not allow the change",
            sample="(Failed) moc-operator virtualmachine serviceclient returned an error while reconciling: rpc error: code = Unknown desc = AddISODisk for IsoFile mocguestagentprov.iso failed. Error: ErrorCode[32768] ErrorDescription['vm1' failed to add device 'Synthetic DVD Drive'. (Virtual machine ID 1)]",
            near_miss="device 'Synthetic DVD Drive' added",
            weight=TYPICAL,
        ),
    ),
    why="Hyper-V and vSphere refuse some changes while a VM runs: a DVD drive or an agent ISO on a generation 1 VM, processors or memory without hot-add, a disk controller. Others need it to run.",
    remedy=(
        Step(
            "See the power state.",
            run=(
                "az",
                "stack-hci-vm",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "<vm>",
                "--query",
                "properties.status.powerState",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Stop the VM, repeat the change, and start it again.",
            risk=Risk.DISRUPTIVE,
            verify="the change ends with provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/migrate/migrate-enable-guest-management",),
    leads_to=("arc.cloud_resource_failed",),
    ask="az stack-hci-vm show -g {resource_group} -n <vm> --query properties.status.powerState",
)
