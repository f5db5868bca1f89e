from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A VM or object of this name exists already in the private cloud",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)ServerFaultCode: The name '(?P<object>[^']{1,120})' already exists|(?:appliance|vsphere|vcenter|vmware)\b.{0,240}?[Tt]he name '(?P<named>[^']{1,120})' already exists|\bDuplicateName\b.{0,80}?(?:vim|vsphere|vcenter)(?P<other>)|moc-operator .{0,300}?Name\[(?P<thing>[^\]]{1,120})\].{0,40}?(?:Already Exists|Duplicates)|(?:moc|wssd)\w*.{0,400}?code = AlreadyExists desc = (?P<entity>\w+)\[",
            says="the name is taken in the private cloud",
            sample="CloneVM_Task failed: ServerFaultCode: The name 'web01' already exists.",
            near_miss="CloneVM_Task succeeded: web01",
        ),
    ),
    why="Names are unique in a folder of vCenter and in a location of MOC. The object is there already: made by hand, left by an attempt that failed, or enabled in Azure under another resource.",
    remedy=(
        Step("Find it in the inventory.", run=("govc", "find", "-name", "<name>"), risk=Risk.READ),
        Step(
            "Delete what an earlier attempt left, enable the existing object in Azure instead, or choose another name.",
            risk=Risk.DESTRUCTIVE,
            verify="the resource shows provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/browse-and-enable-vcenter-resources-in-azure",
    ),
    leads_to=("arc.cloud_resource_failed",),
    ask="govc find -name <name>",
)
