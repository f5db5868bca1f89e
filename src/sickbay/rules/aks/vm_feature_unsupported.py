from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The VM size or image does not support a feature of the node pool (trusted launch, FIPS, encryption, MIG)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"\bVMSizeDoesNotSupport(?:EncryptionAtHost|MIG|TrustedLaunch|\w*GPU\w*|FIPS|Confidential\w*|Ultra\w*|AcceleratedNetworking)\b|(?i:VM ?size '?(?P<size>[\w-]+)'? (?:does not|doesn't|do not) support (?:premium storage|ultra ?ssd|encryption at host|accelerated networking|trusted ?launch|secure ?boot|vtpm|fips|confidential|nested|gpu|mig))|(?i:(?:trusted ?launch|secure ?boot|\bvtpm\b|\bfips\b|encryption ?at ?host|gpu ?instance ?profile|\bMIG\w*\b|confidential (?:vms?|computing)|accelerated ?networking|nested virtuali[sz]ation|multi-?instance gpu).{0,100}?(?:not supported|unsupported|does not support|is not available) (?:for|on|with|by|in).{0,40}?(?:vm ?size|size|sku|arm64|standard_))|(?i:\b(?:ErrorCode)?UnsupportedGPUDedicatedVHDVMSize\b|VM size of \S{1,60} is not a SKU that supports )|number of network interfaces for virtual machine \S{1,80} exceeds the maximum allowed for the virtual machine size (?P<small>[\w-]+)|(?i:\bdriver ?type \S{1,20} is not supported (?:for|on|with))|\bTrustedLaunchIncompatibleWithConfig\b|\bVMSizeIsNotPermittedToEnableAcceleratedNetworking\b|(?i:VM ?size is not permitted to enable accelerated networking)|(?i:Virtual Machine size (?P<barred>[\w-]+) is not in the allowed list of VM sizes for )|(?i:requires? NVMe disk controller|disk controller type.{0,60}?not supported)",
            says="the VM size lacks a feature of the pool",
            sample="(BadRequest) The VM size Standard_NC6s_v3 does not support trusted launch (vTPM or Secure Boot). Please use a VM size that supports it.",
            near_miss="VM size Standard_D4s_v5 supports trusted launch and encryption at host",
            weight=TYPICAL,
            unless=r"(?i)not registered|feature is not enabled for this subscription",
        ),
    ),
    why="Trusted launch (vTPM, Secure Boot), FIPS images, encryption at host, confidential VMs, MIG profiles of a GPU, NVMe, ultra disks and accelerated networking are properties of a VM size and its generation; a pool that asks for one on a size that lacks it is refused before a machine is made. Trusted launch wants an image that can do it as well, and a pool that was made without it cannot get it later. The number of network interfaces that a machine may have depends on its size too.",
    remedy=(
        Step(
            "See what the size can do.",
            run=(
                "az",
                "vm",
                "list-skus",
                "-l",
                "{location}",
                "--size",
                "<vm-size>",
                "--query",
                "[].capabilities",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the pool with a size that has the feature, or without the feature.",
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
                "<vm-size>",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/use-trusted-launch",
        "https://learn.microsoft.com/azure/aks/enable-host-encryption",
    ),
    leads_to=("aks.request_refused",),
    ask="az vm list-skus -l {location} --size <vm-size> -o json",
)
