from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="VMware Tools do not run in the VM, so guest management cannot be enabled",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)The guest operations agent could not be contacted|\bGuestOperationsUnavailable\b|\bToolsUnavailable(?:Fault)?\b|Operation failed since VMware tools are not running|(?:VMware ?Tools|VMTools) (?:is|are) (?:not (?:running|installed)|out of date).{0,160}?(?:guest|VM\b|virtual machine)|(?:guest ?management|guest ?agent|ArcForServer).{0,200}?(?:VMware ?Tools|VMTools) (?:is|are) not (?:running|installed)",
            says="VMware Tools do not answer in the guest",
            sample="ServerFaultCode: The guest operations agent could not be contacted.",
            near_miss="VMware Tools are running in the guest",
        ),
    ),
    why="Azure installs the Connected Machine agent through the guest operations of VMware Tools. Without running tools (or open-vm-tools on Linux), or with the VM switched off, there is no way into the guest.",
    remedy=(
        Step("See the state of the tools.", run=("govc", "vm.info", "-t", "<vm>"), risk=Risk.READ),
        Step(
            "Power on the VM, install or start VMware Tools or open-vm-tools, and enable guest management again.",
            verify="govc vm.info wants the tools running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/enable-guest-management-at-scale",
    ),
    leads_to=("arc.cloud_resource_failed",),
    ask="govc vm.info -t <vm>",
)
