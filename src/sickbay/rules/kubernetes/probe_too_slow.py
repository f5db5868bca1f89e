from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The program does not answer its health probe in time",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?P<probe>Liveness|Readiness|Startup) probe (?:failed|errored)[^:]{0,40}: .{0,300}?(?:context deadline exceeded|Client\.Timeout exceeded|i/o timeout|timed out after|timeout: failed to connect|command .{1,200}? timed out)",
            says="the {probe} probe got no answer in time",
            sample='Warning  Unhealthy  5s (x3 over 25s)  kubelet  Liveness probe failed: Get "http://10.244.1.7:8080/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
            near_miss="Warning  Unhealthy  5s  kubelet  Liveness probe failed: HTTP probe failed with statuscode: 500",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The program is too slow for timeoutSeconds (one second by default): it is throttled by its CPU limit, waits for a dependency, or the node is overloaded.",
    remedy=(
        Step(
            "See port, path and timing of the probe, and how the container is doing.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Raise timeoutSeconds, give the container more CPU, or make the health endpoint cheap.",
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
