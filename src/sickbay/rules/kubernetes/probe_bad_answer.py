from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The program answers its health probe with an error",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?P<probe>Liveness|Readiness|Startup) probe (?:failed|errored)[^:]{0,40}: HTTP probe failed with statuscode: (?P<status>\d{3})",
            says="the {probe} probe got status {status}",
            sample="Warning  Unhealthy  5s (x3 over 25s)  kubelet  Readiness probe failed: HTTP probe failed with statuscode: 503",
            near_miss="Warning  Unhealthy  5s  kubelet  Readiness probe failed: dial tcp 10.244.1.7:8080: connect: connection refused",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?P<probe>Liveness|Readiness|Startup) probe failed: (?P<said>\S.{2,200})",
            says="the command of the {probe} probe fails: {said}",
            sample="Warning  Unhealthy  5s (x3 over 25s)  kubelet  Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory",
            near_miss='Warning  Unhealthy  5s  kubelet  Liveness probe failed: Get "http://10.244.1.7:8080/": context deadline exceeded',
            weight=TYPICAL,
            # What the kubelet says when it asks by itself, or when the command cannot even be run.
            unless=r"probe failed: (?:HTTP|Get |dial |command |timeout|service unhealthy|error|rpc |OCI |read |strconv|.{0,80}?(?:exec failed|executable file not found|unhealthy \(responded|context deadline|connection refused|i/o timeout))",
        ),
    ),
    why="The program is reached and says that it is not well: 404 means a wrong path, 401 or 403 a path that wants a login, 5xx a program or a dependency of it that fails; a command that ends with another code than 0 prints what it misses.",
    remedy=(
        Step(
            "See port, path and timing of the probe, and how the container is doing.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the path of the probe, or what the program reports as broken; let liveness not depend on other services.",
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
