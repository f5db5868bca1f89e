from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubectl does not know which container is meant: the pod has several, or none of that name",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"a container name must be specified for pod (?P<pod>[\w.-]{1,253}), choose one of: \[(?P<containers>[^\]]{1,500})\]|container (?P<container>[\w.-]{1,100}) is not valid for pod (?P<valid>[\w.-]{1,253})",
            says="the container must be named[: {containers}]",
            sample="error: a container name must be specified for pod airflow-scheduler-0, choose one of: [scheduler git-sync] or one of the init containers: [wait-for-migrations]",
            near_miss='Defaulted container "scheduler" out of: scheduler, git-sync',
        ),
    ),
    why="A pod with more than one container needs -c for logs, exec and attach, unless the annotation kubectl.kubernetes.io/default-container names one. A sidecar that a mesh or operator added makes a second container of a pod that had one.",
    remedy=(
        Step(
            "See the containers and init containers of the pod.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.initContainers[*].name},{.spec.containers[*].name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Name the container.",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
                "-c",
                "<container>",
            ),
            risk=Risk.READ,
            verify="the command shows the log",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/kubectl/generated/kubectl_logs/",),
    ask="kubectl get pod {pod} -n {namespace} -o yaml",
)
