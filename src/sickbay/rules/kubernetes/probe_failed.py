from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The health probe of a container fails",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?:Liveness|Readiness|Startup|readiness|liveness) probe (?:failed|errored)|(?:[Ll]iveness|[Rr]eadiness|[Ss]tartup) [Pp]robes? (?:always |often |sometimes |is |are |keeps? )?(?:fails?|failing)\b",
            says="a health probe of a container failed",
            sample="Warning  Unhealthy  5s (x3 over 25s)  kubelet  Readiness probe failed: command exited with 1",
            near_miss="Readiness probe succeeded after 3 attempts",
            weight=SYMPTOM,
        ),
    ),
    why="The kubelet asks the container whether it is well, as the pod's probe says; a failed readiness probe takes it out of its services, a failed liveness probe restarts it. Single failures while a pod starts or ends are normal.",
    remedy=(
        Step(
            "Compare the probe with what the program serves, and read its log.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the port, path or timing of the probe, or the program behind it.",
            verify="kubectl get pod {pod} -n {namespace} wants READY",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
    ),
    leads_to=("kubernetes.liveness_kills", "kubernetes.readiness_fails"),
)
