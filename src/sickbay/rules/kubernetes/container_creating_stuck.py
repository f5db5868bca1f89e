from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The sandbox of a pod cannot be created, so it stays in ContainerCreating",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.NODES),
    detect=(
        Signature(
            pattern=r"FailedCreatePodSandBox|[Ff]ailed to create pod sandbox|Failed create pod sandbox|CreatePodSandbox for pod failed",
            says="the sandbox of a pod could not be created",
            sample="Warning  FailedCreatePodSandBox  21s  kubelet  Failed to create pod sandbox: rpc error: code = DeadlineExceeded desc = context deadline exceeded",
            near_miss="Normal  SandboxChanged  5m  kubelet  Pod sandbox changed, it will be killed and re-created.",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) 0/\d+ (?:Init:0/\d+|ContainerCreating) \d+ ",
            says="{pod} stays in ContainerCreating",
            sample="NAME READY STATUS RESTARTS AGE\nweb-7d9f8b6c5-x2x4q   0/1   ContainerCreating   0   18m",
            near_miss="NAME READY STATUS RESTARTS AGE\nweb-7d9f8b6c5-x2x4q   1/1   Running   0   18m",
            weight=SYMPTOM,
        ),
    ),
    why="Before any container starts, the node sets up the network and the file systems of the pod; one of these steps fails, and the event names which.",
    remedy=(
        Step(
            "Read the events of the pod.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Mend the network plugin, the addresses or the volume that the event names.",
            verify="kubectl get pod {pod} -n {namespace} leaves ContainerCreating",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/architecture/operator-guides/aks/troubleshoot-network-aks",
    ),
    leads_to=("kubernetes.rollout_stuck", "kubernetes.service_no_endpoints"),
)
