from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The autoscaler adds no node, because the pod would not fit on a new one either",
    severity=Severity.ERROR,
    categories=(
        Category.SCALING,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:wouldn't|would not) fit if a new node is added|pod didn't trigger scale-up: \d+ node\(s\) (?:didn't match|had)",
            says="a new node would not help the pod",
            sample="Normal NotTriggerScaleUp 2m cluster-autoscaler pod didn't trigger scale-up (it wouldn't fit if a new node is added): 1 Insufficient nvidia.com/gpu",
            near_miss="Pod cart-1 can't be scheduled on aks-gpu-31415926-vmss, predicate checking error: node(s) had untolerated taint {sku: gpu}; another pool may take it",
        ),
        Signature(
            # Groups at their maximum or in back-off leave no option either.
            pattern=r"\bNo expansion options",
            says="no node group is an option for the pods that wait",
            sample="I0902 13:22:49.912345       1 scale_up.go:376] No expansion options",
            near_miss="I0902 13:22:49.912345       1 scale_up.go:380] Best option to resize: aks-np1-12345678-vmss",
            weight=TYPICAL,
        ),
    ),
    why="Before the cluster autoscaler asks for a machine it tries the pod on an empty node of each pool. The pod asks for more CPU, memory or GPUs than the VM size has, or for labels, zones or taints that no pool offers, so another node would not help.",
    remedy=(
        Step(
            "See what the pod asks for.",
            run=(
                "kubectl",
                "describe",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Lower the request or loosen the selector; or add a pool whose size, labels and zones fit.",
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
            ),
            risk=Risk.SAFE,
            verify="kubectl get pod {pod} -n {namespace} wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-pods-remain-pending-state-scenario",
    ),
    leads_to=("kubernetes.pod_pending",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
