from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The node image (OS SKU) does not fit the VM size, its generation or the Kubernetes version",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bUnsupportedGen2VMSize\b|Hypervisor Generation '?\d'? (?:is )?not supported|cannot boot Hypervisor Generation '?(?P<generation>\d)'?|cannot boot with OS image or disk|VM size .{0,80}? (?:does not|doesn't) support (?:hypervisor )?generation|\bHyperVGeneration\w*Not\w*|\bWindows2019NotSupportedWithGen2VM\b|ErrorCode_Windows2019NotSupportedWithGen2VM|Gen ?2 (?:is )?not supported (?:for|on|with) Windows ?2019|architecture '?(?P<arch>\w+)'? .{0,60}?not supported (?:by|for) (?:the )?(?:VM|OS) ?(?:size|sku)|\bOSSKU\w*NotSupported\w*\b|\b(?:Ubuntu(?:2\d0\d|Containerd)?|Windows20(?:19|22|25)|WindowsAnnual|AzureLinux\w*|CBLMariner|Mariner|Flatcar)'? (?:is|are) (?:not supported|only supported|not available|unsupported) (?:for|in|on|with|by) (?:the )?(?:Kubernetes|k8s|version|orchestrator|VM|managed|node)|image '?[\w./-]*aks\w*[\w.-]*'? only supports '?(?:SCSI|NVMe)|\bInvalidOSSKU\b|OS ?SKU=?'?\w+'? is invalid|only supports a CPU Architecture of '(?P<cpu>\w+)'|OS ?SKU '?(?P<sku>\w+)'? (?:is )?not (?:supported|allowed|compatible)",
            says="the image does not fit the VM size",
            sample="BadRequest: The selected VM size 'Standard_A2' cannot boot Hypervisor Generation '2'. If this was a Create operation please check that the Hypervisor Generation of the Image matches the Hypervisor Generation of the selected VM Size.",
            near_miss="The selected VM size 'Standard_D2s_v5' boots Hypervisor Generation '2'",
        ),
    ),
    why="A node image is made for a generation of virtual machines, a processor architecture, types of disk controller (SCSI, NVMe) and an operating system version. The size of the pool cannot boot it.",
    remedy=(
        Step(
            "See what the size supports.",
            run=("az", "vm", "list-skus", "-l", "{location}", "--size", "<size>", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "Create the pool with a size and an OS SKU that go together.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--node-vm-size",
                "<size>",
                "--os-sku",
                "<os-sku>",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/generation-2-vms",),
    leads_to=("aks.operation_failed",),
    ask="az vm list-skus -l {location} --size <size> -o json",
)
