from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The object of Azure Local is still in use by another, so it cannot be deleted or changed (MOC: In Use)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)moc-operator .{0,400}?(?:\bis in use\b|: In Use\b)|rpc error: code = \w+ desc = .{0,200}?\b(?:is in use: In Use|: In Use)\b",
            says="the object is in use",
            sample="moc-operator networkinterface serviceClient returned an error while deleting: rpc error: code = Unknown desc = VirtualNetworkInterface [nic-web01] is in use: In Use",
            near_miss="moc-operator networkinterface serviceClient deleted nic-web01",
        ),
    ),
    why="MOC keeps what hangs together: a network interface or disk of a VM, a logical network with interfaces, an image from which a VM is being made. Deleting or changing it is refused until the other is gone.",
    remedy=(
        Step(
            "Find what uses it.",
            run=(
                "az",
                "stack-hci-vm",
                "network",
                "nic",
                "list",
                "-g",
                "{resource_group}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete or detach that first, and repeat the operation.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/manage-arc-virtual-machines",),
    leads_to=("arc.cloud_resource_failed",),
    ask="az stack-hci-vm list -g {resource_group} -o table",
)
