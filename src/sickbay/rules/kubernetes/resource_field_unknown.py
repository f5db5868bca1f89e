from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A variable or file of a pod is to come from a container or field that the pod does not have (resourceFieldRef)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?:CreateContainerConfigError|\bFailed\b.{0,60}Error|^Error): container (?P<container>[a-z0-9][a-z0-9-]{0,62}) not found|references non-existent (?:pod field|container resource)|unsupported container resource: (?P<resource>\S{1,60})|unsupported fieldPath: (?P<field>\S{1,100})",
            says="the pod has no[ container {container}][ resource {resource}][ field {field}], from which it takes a value",
            sample="Warning  Failed  3s (x8 over 94s)  kubelet  Error: container sidecar not found",
            near_miss="Error from server (BadRequest): container sidecar is not valid for pod web-59467776bb-jbcml",
        ),
    ),
    why="A variable or a file of the downward API takes a limit or request of a container by its name (resourceFieldRef.containerName), or a field of the pod by its path. The kubelet looks the name up among the containers of the pod, and does not start the container when there is none: mostly it was renamed, or was to be injected and was not.",
    remedy=(
        Step(
            "See from where the container takes its variables, and which containers there are.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.containers[*].name}{.spec.containers[*].env}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct containerName, or take it out: without it the container's own resources are meant.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/pods/downward-api/",),
    leads_to=(
        "kubernetes.config_missing",
        "kubernetes.container_create_fails",
        "kubernetes.rollout_stuck",
        "kubernetes.mount_failed",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
