from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program wants to talk to the API server, and its pod has no service account token",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST|open /var/run/secrets/kubernetes\.io/serviceaccount/(?:token|ca\.crt|namespace): no such file|serviceaccount/token.{0,40}?(?:No such file|ENOENT|not found)|Service (?:host/port is not set|token file does not exist)|ConfigException: Service|stat /var/run/secrets/kubernetes\.io/serviceaccount/token: no such file",
            says="no service account token is mounted",
            sample="open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory",
            near_miss="using service account token /var/run/secrets/kubernetes.io/serviceaccount/token",
        ),
    ),
    why="Clients inside a cluster read address and token from the mounted service account. automountServiceAccountToken is false on the pod or its account, service links are off, or the program does not run in a pod at all.",
    remedy=(
        Step(
            "See the settings of the pod.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Set automountServiceAccountToken to true for this workload, with an account that has only the rights that it needs.",
            risk=Risk.DISRUPTIVE,
            verify="the program starts",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl get pod {pod} -n {namespace} -o yaml",
)
