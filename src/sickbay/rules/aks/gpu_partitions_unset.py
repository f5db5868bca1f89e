from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The GPUs of a node are not partitioned as the NVIDIA device plugin expects (MIG strategy)",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"has an invalid MIG configuration|device with migEnabled=true was not configured correctly|must be configured with the same migEnabled value|more than one MIG device type present on node|[Ii]nvalid MIG configuration|no MIG devices present on node",
            says="the device plugin finds partitions (MIG) that do not fit its strategy",
            sample="At least one device with migEnabled=true was not configured correctly: error visiting device: device 0 has an invalid MIG configuration",
            near_miss="device 0 has a valid MIG configuration",
        ),
    ),
    why="With MIG a GPU is cut into instances. The plugin's strategy `single` wants the same profile on all GPUs of a node, `mixed` allows several, and a GPU in MIG mode without instances serves neither. AKS cuts the GPUs once, when the node is made, by the GPU instance profile of its pool.",
    remedy=(
        Step(
            "See the profile of the pools.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--query",
                "[].{name:name,size:vmSize,profile:gpuInstanceProfile}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the plugin the strategy that fits (migStrategy single or mixed), or make the pool anew with --gpu-instance-profile.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe node wants nvidia.com/gpu or nvidia.com/mig- under Allocatable",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/gpu-multi-instance",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl describe nodes",
)
