from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The liveness or startup probe restarts a container again and again",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?:Container (?P<container>[\w.-]+) )?failed (?P<probe>liveness|startup) probe, will be restarted",
            says="a container is restarted because its {probe} probe failed",
            sample="Normal  Killing  2m (x4 over 11m)  kubelet  Container app failed liveness probe, will be restarted",
            near_miss="Normal  Killing  2m  kubelet  Stopping container app",
        ),
    ),
    why="The kubelet kills and restarts a container whose liveness (or startup) probe fails failureThreshold times: the probe is stricter than the program is fast, asks the wrong port or path, or depends on something else that is down.",
    remedy=(
        Step(
            "Compare the timing of the probe with how long the program takes to start.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Add a startup probe for slow starts, lengthen timeoutSeconds and failureThreshold, and let liveness test the process alone.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} shows a restart count that stands still",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/troubleshoot-pod-workload-restart",
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
    ),
    leads_to=(
        "kubernetes.crash_loop",
        "kubernetes.killed_not_oom",
        "kubernetes.exits_at_once",
        "kubernetes.program_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
