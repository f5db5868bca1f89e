from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster does not serve the API version or custom resource of a manifest",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"no matches for kind \"(?P<kind>[\w]+)\" in version \"(?P<version>[\w./-]+)\"|the server could not find the requested resource|resource mapping not found for name",
            says="the cluster serves no {kind} in {version}",
            sample='error: resource mapping not found for name: "web" namespace: "" from "web.yaml": no matches for kind "Ingress" in version "extensions/v1beta1" ensure CRDs are installed first',
            near_miss="ingress.networking.k8s.io/web created",
        ),
    ),
    why="The manifest names an API version that this Kubernetes version no longer serves, or a custom resource whose definition (CRD) is not installed.",
    remedy=(
        Step("See which versions are served.", run=("kubectl", "api-resources"), risk=Risk.READ),
        Step(
            "Use the served version in the manifest, or install the CRD first.",
            verify="the manifest is applied without an error",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/using-api/deprecation-guide/",),
    leads_to=(),
    ask="kubectl api-resources",
    spreads=False,
)
