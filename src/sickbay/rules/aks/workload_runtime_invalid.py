from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The workload runtime of the node pool (Kata pod sandboxing, confidential, WASM) is not supported",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bworkload ?-?runtime\b.{0,160}?(?:\binvalid\b|not (?:supported|allowed|valid)|only (?:supported|available)|requires?|must)|\b(?:Kata(?:MshvVmIsolation|CcIsolation|VmIsolation)?|pod sandboxing|WasmWasi|confidential containers?)\b.{0,120}?(?:not (?:supported|allowed|available)|only supported|requires?|retired|no longer)",
            says="the workload runtime is refused",
            sample="(InvalidParameter) The value of parameter agentPoolProfile.workloadRuntime is invalid. Error details: workloadRuntime KataMshvVmIsolation is only supported with osSKU AzureLinux.",
            near_miss="workloadRuntime: OCIContainer",
            weight=TYPICAL,
            unless=r"(?i)not registered|runtimeclass|RuntimeHandler",
        ),
    ),
    why="Pod sandboxing (KataVmIsolation) needs Azure Linux and a generation 2 size with nested virtualisation, confidential containers need an SEV-SNP size, and WASM/WASI pools have been retired. The runtime is fixed when the pool is made.",
    remedy=(
        Step(
            "Make a pool that has what the runtime needs.",
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
                "--os-sku",
                "AzureLinux",
                "--workload-runtime",
                "KataVmIsolation",
                "--node-vm-size",
                "Standard_D4s_v5",
            ),
            risk=Risk.SAFE,
            verify="kubectl get runtimeclass wants kata-vm-isolation",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/use-pod-sandboxing",),
    leads_to=("aks.request_refused",),
    ask="az aks nodepool show -g {resource_group} --cluster-name {cluster} -n <pool> -o json",
)
