from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Argo CD cannot compare an object: a field of it is not in the schema that it knows (structured merge diff)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'(?i)error calculating structured merge diff|error building typed value from (?:live|config) resource|(?P<field>\.[\w.\[\]"=:-]{3,160}): field not declared in schema',
            says="a field is not declared in the schema that Argo CD compares with",
            sample="ComparisonError: Failed to compare desired state to live state: failed to calculate diff: error calculating structured merge diff: error building typed value from live resource: .status.terminatingReplicas: field not declared in schema",
            unless=r"failed to create typed (?:patch|live) object",
            near_miss='ComparisonError: Failed to load live state: Get "https://10.0.0.1:443/apis": dial tcp 10.0.0.1:443: i/o timeout',
        ),
    ),
    why="For server-side diffs and applies Argo CD parses objects with the schema of its own Kubernetes libraries or of the CRD. The cluster is newer than Argo CD, or the manifest has a field that the CRD does not declare, and the comparison stops.",
    remedy=(
        Step(
            "See which field is named, and whether it stands in the manifest.",
            run=(
                "kubectl",
                "get",
                "applications",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the field from the manifest or correct the CRD; if the cluster itself sets it, upgrade Argo CD to a version that knows this Kubernetes.",
            risk=Risk.DISRUPTIVE,
            verify="the application compares without an error",
        ),
    ),
    docs=("https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/",),
    ask="kubectl get applications -A -o yaml",
)
