from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The object in vCenter that Azure names does not exist any more (VM, template, host or network)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)The object '?(?:vim\.)?(?P<object>[\w.:-]{3,80})'? has already been deleted or has not been completely created|\bManagedObjectNotFound\b(?P<thing>)",
            says="vCenter no longer has the object",
            sample="ServerFaultCode: The object 'vim.VirtualMachine:vm-4711' has already been deleted or has not been completely created",
            near_miss="The object 'vim.VirtualMachine:vm-4711' has been created",
        ),
    ),
    why="Azure keeps the managed object id of what it manages in vCenter. The VM, template, host or network behind that id was deleted, or unregistered and registered again under a new id.",
    remedy=(
        Step(
            "See whether the object is in the inventory, and under which id.",
            run=("govc", "find", "-i", "-type", "m"),
            risk=Risk.READ,
        ),
        Step(
            "Remove the resource from Azure (not from vCenter), and enable the object from the inventory again.",
            risk=Risk.DESTRUCTIVE,
            verify="the resource shows provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/browse-and-enable-vcenter-resources-in-azure",
    ),
    leads_to=("arc.cloud_resource_failed",),
    ask="govc find -i -type m",
)
