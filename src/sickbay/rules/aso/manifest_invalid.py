from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The manifest of an ASO object does not fit its schema: a field is missing, unknown or has a wrong value",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?P<kind>\w+)\.[\w.-]{1,100}\.azure\.com \"?(?P<object>[\w.-]+)\"? is invalid: (?P<reason>.{0,200})|(?i:strict decoding error: .{0,40}?unknown field \"(?P<field>spec\.[\w.\[\]]+)\").{0,300}?azure\.com|azure\.com.{0,400}?(?i:strict decoding error: .{0,40}?unknown field \"(?P<other>spec\.[\w.\[\]]+)\")|ValidationError\(\w+\.spec[\w.\[\]]*\): (?P<fault>.{0,120}?) in com\.azure\.",
            says="the API server refuses the manifest: {reason}",
            sample='Error from server (Invalid): error when creating "resources.yaml": ManagedCluster.containerservice.azure.com "testcluster" is invalid: spec.owner: Required value',
            near_miss="managedcluster.containerservice.azure.com/testcluster created",
        ),
    ),
    why="ASO generates the schema of each kind from one version of the Azure API. A manifest that was written for another version, imported by a tool, or copied from an ARM template has fields at another place, or lacks one that ASO wants (spec.owner, a reference in place of an id), and the API server refuses it before ASO sees it.",
    remedy=(
        Step(
            "See the fields of the kind in the version that you use.",
            run=(
                "kubectl",
                "explain",
                "<kind>.spec",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the field that the message names; what ARM calls …Id is mostly a …Reference with armId or group, kind and name in ASO."
        ),
        Step("Try it without changing anything: kubectl apply --dry-run=server."),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/reference/",
        "https://azure.github.io/azure-service-operator/guide/ownership/",
    ),
    ask="kubectl explain <kind>.spec",
)
