from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubelet rejects a pod: a device (such as a GPU) is not registered or not healthy on the node",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)can't allocate unregistered device (?P<device>[\w./-]+)|no healthy devices present; cannot allocate unhealthy devices (?P<sick>[\w./-]+)|requested number of devices unavailable for (?P<short>[\w./-]+)|UnexpectedAdmissionError|Allocate failed due to",
            says="the kubelet could not give a pod its device",
            sample="Status: Failed Reason: UnexpectedAdmissionError Message: Pod was rejected: Allocate failed due to can't allocate unregistered device nvidia.com/gpu, which is unexpected",
            near_miss="Allocatable: nvidia.com/gpu: 1",
            unless=r"(?i)read-only file ?system|finding a set of pods to preempt",
        ),
    ),
    why="The scheduler counts devices by what the node reported, and the kubelet hands them out. After a restart of the node or kubelet the device plugin has not registered yet or its device is unhealthy, so that the kubelet rejects the pod for good; its controller makes a new one.",
    remedy=(
        Step(
            "See whether the device plugin runs on the node.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring the plugin and the driver up on the node, then delete the rejected pods.",
            run=(
                "kubectl",
                "delete",
                "pods",
                "-A",
                "--field-selector",
                "status.phase=Failed",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe node shows the device under Allocatable",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/",
        "https://learn.microsoft.com/azure/aks/gpu-cluster",
    ),
    leads_to=("kubernetes.pod_failed",),
    ask="kubectl describe node <node>",
)
