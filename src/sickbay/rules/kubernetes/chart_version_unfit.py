from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The chart does not fit the Kubernetes version of the cluster (kubeVersion)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)chart requires kubeVersion: (?P<wants>.{1,60}?) which is incompatible with Kubernetes (?P<has>v?[\d.+\w-]+)",
            says="the chart wants Kubernetes {wants}, and the cluster has {has}",
            sample="Error: INSTALLATION FAILED: chart requires kubeVersion: >=1.25.0-0 which is incompatible with Kubernetes v1.24.9",
            near_miss="chart requires kubeVersion: >=1.25.0-0",
        ),
    ),
    why="A chart states for which versions of Kubernetes it was made, and Helm refuses it on others. With helm template and no cluster, Helm assumes a version of its own.",
    remedy=(
        Step(
            "Use a version of the chart that fits, or upgrade the cluster.",
            risk=Risk.DISRUPTIVE,
            verify="helm upgrade --install accepts the chart",
        ),
    ),
    docs=("https://helm.sh/docs/topics/charts/",),
    leads_to=("kubernetes.release_gave_up", "arc.extension_failed"),
    ask="kubectl version",
)
