from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Nothing listens where the health probe asks (connection refused)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?P<probe>Liveness|Readiness|Startup) probe (?:failed|errored)[^:]{0,40}: .{0,300}?connect(?:ex)?: connection refused",
            says="the {probe} probe was refused: nothing listens on its port",
            sample='Warning  Unhealthy  5s (x3 over 25s)  kubelet  Liveness probe failed: Get "http://10.244.1.7:8080/healthz": dial tcp 10.244.1.7:8080: connect: connection refused',
            near_miss="Warning  Unhealthy  5s  kubelet  Liveness probe failed: HTTP probe failed with statuscode: 500",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The container has no process on the port that the probe asks: another port, a listener on 127.0.0.1 only, a program that has not started yet, or one that has crashed.",
    remedy=(
        Step(
            "See port, path and timing of the probe, and how the container is doing.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Let the probe ask the port that the program listens on (on all addresses), and add a startup probe if it starts slowly.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants READY",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-pod-workload-restart",
    ),
    leads_to=("kubernetes.probe_failed",),
    ask="kubectl logs {pod} -n {namespace}",
)
