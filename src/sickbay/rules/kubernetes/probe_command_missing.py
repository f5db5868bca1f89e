from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The command of an exec probe does not exist in the image",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'(?P<probe>Liveness|Readiness|Startup) probe (?:failed|errored)[^:]{0,60}:.{0,400}?(?:exec: "(?P<command>[^"]{1,200})": (?:executable file not found|stat )|command not found|no such file or directory: unknown)',
            says="the {probe} probe runs a command that the image does not have",
            sample='Warning  Unhealthy  3s  kubelet  Readiness probe errored: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "1f5e": OCI runtime exec failed: exec failed: unable to start container process: exec: "curl": executable file not found in $PATH: unknown',
            near_miss='Warning  Unhealthy  3s  kubelet  Readiness probe failed: command "curl" timed out',
        ),
    ),
    why="An exec probe runs inside the container and needs its program in the image; slim and distroless images have no curl, wget or shell, so the probe fails however well the program is.",
    remedy=(
        Step(
            "See the probe.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.containers[*].readinessProbe}{.spec.containers[*].livenessProbe}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use httpGet, tcpSocket or grpc, which the kubelet does itself, or put the program into the image.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants READY",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
    ),
    leads_to=(
        "kubernetes.probe_failed",
        "kubernetes.container_start_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
