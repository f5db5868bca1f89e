from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program gets no answer from its Dapr sidecar: it was not injected, does not run, or is not ready yet",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)The sidecar at address (?P<address>\S{1,120}) is unavailable|Dapr sidecar (?:is )?(?:not (?:present|available|running|ready|healthy|up)|unavailable)|dapr.{0,120}?(?:localhost|127\.0\.0\.1|\[::1\]):(?:3500|50001)\b.{0,120}?(?:refused|Unavailable)|(?:localhost|127\.0\.0\.1|\[::1\]):(?:3500|50001)/v1\.0.{0,160}?(?:refused|ECONNREFUSED)|(?:timed out|timeout|failed) waiting for (?:the )?Dapr sidecar",
            says="the sidecar does not answer[ at {address}]",
            sample="Microsoft.DurableTask[3] The sidecar at address localhost:50001 is unavailable. Will continue retrying.",
            near_miss="Dapr sidecar is up and running at localhost:50001",
            weight=TYPICAL,
            ended_by=r"(?i)connected to (?:the )?sidecar|sidecar is (?:up|healthy|ready)|established connection to sidecar|sidecar work-item streaming connection established",
        ),
    ),
    why='An app speaks to the daprd container of its own pod, by HTTP on 3500 and gRPC on 50001. The sidecar injector adds that container only when the pod is created and carries `dapr.io/enabled: "true"`; a pod that came before the injector was up has none. A sidecar that fails on a component, or that waits for the app\'s own port, does not answer either.',
    remedy=(
        Step(
            "See whether the pod has a container daprd, and its annotations.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Read what the sidecar says.",
            run=("kubectl", "logs", "{pod}", "-n", "{namespace}", "-c", "daprd", "--tail=100"),
            risk=Risk.READ,
        ),
        Step(
            "See whether injector, operator and sentry run.",
            run=("kubectl", "get", "pods", "-n", "dapr-system"),
            risk=Risk.READ,
        ),
        Step(
            "Create the pods anew once the injector answers; correct the component that the sidecar names.",
            run=("kubectl", "rollout", "restart", "deployment", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n {namespace} shows 2/2",
        ),
    ),
    docs=("https://docs.dapr.io/operations/troubleshooting/common_issues/",),
    leads_to=(
        "kubernetes.program_fails",
        "network.connection_refused",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
