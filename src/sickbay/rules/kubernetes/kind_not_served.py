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
            pattern=r"no matches for kind \"(?P<kind>[\w]+)\" in version \"(?P<version>[\w./-]+)\"|no matches for kind \" ?(?P<grouped>\w+)\" in group \"[\w.-]+\"|no matches for (?P<group>[\w.-]{0,120})/(?P<legacy>[\w.-]{0,40}), Kind=(?P<old>\w{2,80})|the server could not find the requested resource|Failed to determine GroupVersionResource for manifest|API did not recognize GroupVersionKind from manifest|resource mapping not found for name|\bCRDs? (?:is |are )?not installed|Unable to find all \w{3,40} CRDs necessary|The following CRDs were not found: \[(?P<absent>[^\]]{3,200})\]|The Kubernetes API could not find \S{1,120} for requested resource|Make sure the .{1,80}? CRD is installed|the server doesn't have a resource type \"(?P<type>[\w.-]+)",
            says="the cluster does not serve the kind that was asked for[: {kind} in {version}][: {grouped}]",
            sample='error: resource mapping not found for name: "web" namespace: "" from "web.yaml": no matches for kind "Ingress" in version "extensions/v1beta1" ensure CRDs are installed first',
            near_miss="ingress.networking.k8s.io/web created",
            # Metrics are served by an add-on; without them autoscalers are blind, which is its own rule.
            unless=r"metrics\.k8s\.io|namespace not specified|failed calling (?:admission )?webhook",
            passes=True,
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
    leads_to=(
        "kubernetes.caches_not_synced",
        "kubernetes.release_gave_up",
    ),
    ask="kubectl api-resources",
)
