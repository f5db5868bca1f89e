from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="App Service on Arc cannot be set up: the pods of its extension are not there, or the cluster does not answer",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)required app service pods (?:in|is|are) not present|Couldn't confirm connectivity to Arc-enabled cluster|Error when checking initialize status of K8SE stamp|Unable to find Kube ?Environment associated to the Custom Location",
            says="App Service finds no pods of its extension",
            sample="The required app service pods in not present in the kubernetes cluster.",
            near_miss="The app service pods are present in the kubernetes cluster.",
            weight=TYPICAL,
        ),
    ),
    why="az appservice kube create asks, through cluster connect, for the pods of the extension Microsoft.Web.Appservice (k8se) in the namespace of the custom location. The extension is not installed or Failed, stands in another namespace than the custom location, or the agents of the cluster do not answer Azure.",
    remedy=(
        Step(
            "See the state of the extension.",
            run=(
                "az",
                "k8s-extension",
                "list",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "connectedClusters",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether its pods run in the namespace of the custom location.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-l",
                "app.kubernetes.io/part-of=k8se",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the cluster is connected.",
            run=(
                "az",
                "connectedk8s",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "connectivityStatus",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/app-service/manage-create-arc-environment",),
    ask="az k8s-extension list -g {resource_group} -c {cluster} -t connectedClusters",
)
