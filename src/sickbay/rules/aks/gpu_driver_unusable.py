from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The GPU driver of a node does not work, so containers see no GPU (NVML)",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)Found no NVIDIA driver on your system|The NVIDIA driver on your system is too old|No CUDA GPUs are available|failed to initiali[sz]e NVML|could not load NVML library|Incompatible (?:platform|strategy) detected (?:auto|nvml|tegra|wsl)\b|Incompatible (?:platform|strategy) detected.{0,200}?(?:NVIDIA|GPU|nvml)|invalid device discovery strategy|did you configure the NVIDIA Container Toolkit|No NVIDIA devices? (?:probed|found)|NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver|RmInitAdapter failed|NVRM: Xid \(PCI|GPU has fallen off the bus|Warning +UnhealthyNvidia\w+|\bUnhealthyNvidia\w+ +True\b|\bGPUMissing +True\b|\bXIDError +True\b|NVIDIA device plugin is not healthy|Unable to determine the device handle for GPU|lib(?:nvidia-ml|cuda)\.so(?:\.1)?: cannot open|nvidia-container-(?:runtime|toolkit)\S{0,5}: no such file or directory|(?:running prestart hook|error running (?:prestart )?hook).{0,300}?nvidia-container-(?:cli|runtime-hook|toolkit)|nvidia-container-cli: (?:initialization error|detection error|driver rpc error)|nvml error: (?:driver not loaded|driver/library version mismatch)|CUDA driver version is insufficient for CUDA runtime|no CUDA-capable device is detected|Failed to start plugin: error waiting for MPS|Could not resolve Linux kernel version|unresolvable CDI devices \S{0,40}(?:nvidia|gpu)|unable to create plugin manager: nvml init failed|error reading kernel modules.{0,80}?nvidia|Could not find (?:nvidia|NVIDIA) kernel modules?|failed to validate the driver, retrying|lstat /run/nvidia/driver/\S{1,80}: no such file",
            says="the driver of the GPU cannot be used",
            sample="Failed to initialize NVML: Unknown Error",
            near_miss="NVML initialized, 1 device found",
            weight=TYPICAL,
        ),
    ),
    why="Device plugin and containers speak to the GPU through the driver (NVML) of the node. It is not installed (a pool made without driver, a size that has none), does not load for the kernel, differs from its library after an update, or the container runtime does not hand the device in; then the node offers no `nvidia.com/gpu`, or the program finds none.",
    remedy=(
        Step(
            "See whether the driver answers on the node itself.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/cbl-mariner/busybox:2.0",
                "--",
                "chroot",
                "/host",
                "nvidia-smi",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let one party install it: AKS with its node image, or the NVIDIA GPU operator in a pool with `--gpu-driver none`; never both."
        ),
        Step(
            "Renew the node when driver and kernel no longer fit.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe node wants nvidia.com/gpu under Allocatable",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/use-nvidia-gpu",
        "https://learn.microsoft.com/azure/aks/nvidia-gpu-operator",
    ),
    leads_to=(
        "kubernetes.insufficient_resources",
        "kubernetes.program_fails",
        "kubernetes.container_creating_stuck",
    ),
    ask="kubectl logs -n kube-system -l name=nvidia-device-plugin-ds",
)
