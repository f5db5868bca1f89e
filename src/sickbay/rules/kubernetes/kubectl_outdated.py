from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubectl is of a version that does not fit the cluster (client and server too far apart)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"SchemaError\([\w.]{3,200}\): invalid object doesn't have additional properties|unable to respond with a content type that the client supports|error validating data: unexpected type: object|error: \{\w+ {1,2}\w+\} matches multiple kinds \[|\bkubectl: .{0,60}?client version \S{1,40} is not supported",
            says="client and server do not speak the same version of the API",
            sample="error: SchemaError(io.k8s.api.autoscaling.v2beta2.MetricTarget): invalid object doesn't have additional properties",
            near_miss='error: error validating "web.yaml": error validating data: kind not set',
            weight=TYPICAL,
        ),
    ),
    why="kubectl is meant for a server that is at most one minor version older or newer. An old one, as the copy that Docker Desktop or a build image brings and that comes first in the PATH, cannot read the schema or the answers of a newer server.",
    remedy=(
        Step("Compare both versions.", run=("kubectl", "version"), risk=Risk.READ),
        Step("See whether another copy of kubectl comes first in the PATH.", risk=Risk.READ),
        Step(
            "Install a kubectl that fits the cluster.",
            run=("az", "aks", "install-cli", "--client-version", "<version of the cluster>"),
            risk=Risk.SAFE,
            verify="kubectl version wants no warning of a version skew",
        ),
    ),
    docs=(
        "https://kubernetes.io/releases/version-skew-policy/",
        "https://learn.microsoft.com/cli/azure/aks#az-aks-install-cli",
    ),
    ask="kubectl version",
)
