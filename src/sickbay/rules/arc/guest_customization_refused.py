from sickbay.rulekit import TYPICAL, Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="vCenter cannot customize the guest of the new VM: its system is not supported, or VMware Tools are missing",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Customization of the guest operating system '?(?P<guest>[\w.-]+)'? is not supported|CustomizeVM_Task.{0,200}?(?:not supported|failed)",
            says="the guest cannot be customized",
            sample="CustomizeVM_Task failed: Customization of the guest operating system 'rhel8_64Guest' is not supported in this configuration.",
            near_miss="CustomizeVM_Task succeeded",
            weight=TYPICAL,
        ),
    ),
    why="A VM that is created from a template through Azure gets its name, network and password by guest customization of vCenter. That needs VMware Tools in the template, a guest type that this vCenter version supports, and perl on older Linux systems.",
    remedy=(
        Step(
            "Install VMware Tools (open-vm-tools) in the template and set the right guest type, or update vCenter; then create the VM again.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/quick-start-create-a-vm",),
)
