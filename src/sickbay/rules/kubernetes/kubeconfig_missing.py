from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubectl has no kubeconfig and asks localhost:8080",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"dial tcp (?:\[::1\]|127\.0\.0\.1|localhost):8080: connect|The connection to the server localhost:8080 was refused|Get \"?http://localhost(?::80)?/(?:api|version|openapi)\S*: dial tcp|host='localhost', port=(?:80|8080)\): Max retries exceeded with url: /(?:apis?|version|openapi)\b|(?i:invalid configuration: no configuration has been provided)|(?i:No kubeconfig file found at path)",
            says="kubectl found no kubeconfig",
            sample="Unable to connect to the server: dial tcp [::1]:8080: connectex: No connection could be made because the target machine actively refused it.",
            near_miss="Unable to connect to the server: dial tcp 20.1.2.3:443: i/o timeout",
            unless=r"probe failed: ",
        ),
        Signature(
            pattern=r"loader\.go:\d+\] Config not found: (?P<file>\S{1,300})",
            says="the kubeconfig {file} is not there",
            sample="W0521 18:21:30.181078    1612 loader.go:221] Config not found: /builds/_temp/kubeconfig_1621621288",
            near_miss="I0521 18:21:30.181078    1612 loader.go:402] Config loaded from file:  /builds/.kube/config",
            weight=TYPICAL,
        ),
    ),
    why="Without a kubeconfig (or with a wrong path in KUBECONFIG) kubectl asks localhost:8080, where nothing listens: no credential of a cluster was ever read.",
    remedy=(
        Step(
            "Get the credentials of the cluster.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
            ),
            verify="kubectl config current-context names the cluster",
        ),
        Step("See what kubectl reads now.", run=("kubectl", "config", "view"), risk=Risk.READ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/config-file-is-not-available-when-connecting",
    ),
    leads_to=("aks.api_server_unreachable",),
    ask="kubectl config view",
)
