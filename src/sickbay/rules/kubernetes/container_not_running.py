from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The container that kubectl was to look into does not run yet, or not any more (exec, logs, port-forward)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'(?:unable to upgrade connection|executing (?:remote )?command(?: in container)?|exec in container): container not found \("(?P<container>[\w.-]+)"\)|cannot exec (?:into|in) a container in a completed pod; current phase is (?P<phase>\w+)|unable to forward port because pod is not running\. Current status=(?P<status>\w+)|container "?(?P<name>[\w.-]+)"? in pod "?(?P<pod>[\w.-]+)"? is waiting to start: (?P<why>PodInitializing|ContainerCreating|CrashLoopBackOff|trying and failing to pull image|image can\x27t be pulled|[\w ]{3,60})|previous terminated container "?(?P<gone>[\w.-]+)"? in pod .{1,120}? not found|unable to retrieve container logs for|unable to upgrade connection: pod does not exist',
            says="the container does not run",
            sample='Error from server (BadRequest): container "web" in pod "web-7d9f8b6c5-x2x4q" is waiting to start: PodInitializing',
            near_miss='Defaulted container "web" out of: web, istio-proxy',
            weight=SYMPTOM,
        ),
    ),
    why="exec, logs and port-forward need a container that runs. The pod is still pending or pulls its image, an init container has not ended, or the container crashed or ended; the events of the pod say which.",
    remedy=(
        Step(
            "See the state of the pod and its events.",
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
        Step("Mend what they name."),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/",),
)
