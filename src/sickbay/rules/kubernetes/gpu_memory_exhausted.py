from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The memory of a GPU is used up (CUDA out of memory)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"CUDA out of memory|CUDA_ERROR_OUT_OF_MEMORY|cudaErrorMemoryAllocation|failed to allocate .{1,60}? of memory on device|No available memory for the cache blocks|ResourceExhaustedError: OOM when allocating tensor|larger than the maximum number of tokens that can be stored in KV cache",
            says="a GPU has no memory left",
            sample="torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
            near_miss="CUDA memory: 2.00 GiB of 15.77 GiB used",
        ),
    ),
    why="The model, batch or cache that the program wants does not fit into the memory of the GPU, or another process shares the card (time slicing, MIG) and holds most of it. This is the card's own memory: the limits of the container do not change it.",
    remedy=(
        Step(
            "See who uses the card.",
            run=(
                "kubectl",
                "exec",
                "{pod}",
                "-n",
                "{namespace}",
                "--",
                "nvidia-smi",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use a smaller model, batch or context (quantised weights, --gpu-memory-utilization, --max-model-len), spread it over several GPUs, or use a VM size with a larger card.",
            risk=Risk.DISRUPTIVE,
            verify="the program loads and serves",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/gpu-cluster",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
