from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The last Helm release holds an API version that the cluster no longer serves, so it cannot be upgraded",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?:objects from current release manifest|current release manifest contains removed kubernetes api|objects from previous release manifest|kubernetes objects for (?:performing the diff|delete|rollback)).{0,600}?no matches for kind \"(?P<kind>\w+)\" in version \"(?P<version>[\w./-]+)",
            says="the release that is stored names {kind} of {version}, which is removed",
            sample='Error: UPGRADE FAILED: unable to build kubernetes objects from current release manifest: resource mapping not found for name: "grafana" namespace: "" from "": no matches for kind "PodSecurityPolicy" in version "policy/v1beta1"',
            near_miss='Error: INSTALLATION FAILED: unable to build kubernetes objects from release manifest: resource mapping not found for name: "web" namespace: "" from "": no matches for kind "Ingress" in version "extensions/v1beta1"',
        ),
    ),
    why="Helm compares the new manifests with those of the last release, which it keeps in a secret. Kubernetes was upgraded past the version that removed this API (PodSecurityPolicy in 1.25, CronJob and PodDisruptionBudget v1beta1 in 1.25, older Ingress in 1.22), so the stored manifest can no longer be read, whatever the new chart holds.",
    remedy=(
        Step(
            "See the APIs in the release that is stored.",
            run=("helm", "get", "manifest", "<release>", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Rewrite the stored release with the plugin mapkubeapis, which replaces or takes out what was removed.",
            run=("helm", "mapkubeapis", "<release>", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="helm upgrade succeeds",
        ),
        Step("Run the upgrade again, with a chart that fits the version of the cluster."),
    ),
    docs=(
        "https://helm.sh/docs/topics/kubernetes_apis/",
        "https://github.com/helm/helm-mapkubeapis",
    ),
    leads_to=("kubernetes.kind_not_served", "kubernetes.release_gave_up"),
    ask="helm get manifest <release> -n {namespace}",
)
