from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The GPU is too old, or too new, for the program: its compute capability does not fit (bfloat16, sm_NN)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        Signature(
            pattern=r"only supported on GPUs with compute capability of at least (?P<needed>[\d.]+)|with CUDA capability (?P<sm>sm_\d+) is not compatible with the current PyTorch|no kernel image is available for execution on the device|(?i:requires (?:a GPU with )?compute capability (?:>=|of at least)) ?(?P<least>[\d.]+)",
            says="the GPU lacks what the program was built for[: it needs {needed}][: {sm}]",
            sample="ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla V100-PCIE-16GB GPU has compute capability 7.0.",
            near_miss="NVIDIA A100 80GB PCIe, compute capability 8.0",
        ),
    ),
    why="Each generation of GPUs has a compute capability: V100 (NCv3) 7.0, T4 7.5, A100 8.0, A10 8.6, H100 9.0. bfloat16 and FlashAttention need 8.0, and a library holds code for a range of generations only: on another GPU it finds no kernel image and ends.",
    remedy=(
        Step(
            "See which GPU the nodes have.",
            run=(
                "kubectl",
                "get",
                "nodes",
                "-L",
                "node.kubernetes.io/instance-type,accelerator",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Let the program use what the GPU can (float16: --dtype=half), or an image that is built for it.",
        ),
        Step(
            "Or move it to a pool with a newer GPU.",
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
                "gpu2",
                "--node-vm-size",
                "Standard_NC24ads_A100_v4",
                "--node-count",
                "1",
            ),
            verify="kubectl logs {pod} -n {namespace} shows the model loaded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-nvidia-gpu",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --previous",
)
