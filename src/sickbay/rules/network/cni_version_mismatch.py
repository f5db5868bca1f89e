from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A CNI configuration asks for a version that its plugin does not speak",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"incompatible CNI versions; config is|unsupported CNI (?:result )?version|cniVersion \S{1,20} (?:is )?not supported",
            says="configuration and plugin speak different CNI versions",
            sample='incompatible CNI versions; config is "1.0.0", plugin supports ["0.1.0" "0.2.0" "0.3.0" "0.3.1" "0.4.0"]',
            near_miss='config is "1.0.0", plugin supports 1.0.0',
        ),
    ),
    why="The file in /etc/cni/net.d states a cniVersion. The plugin binary on the node is older, or a second CNI wrote a configuration that does not fit the installed binaries.",
    remedy=(
        Step("Look at /etc/cni/net.d on the node: the first file by name counts."),
        Step(
            "Update the plugin binaries or the chart that wrote the file, and remove configurations of a CNI that is no longer used."
        ),
    ),
    leads_to=(
        "kubernetes.container_creating_stuck",
        "network.cni_setup_fails",
        "kubernetes.cni_not_ready",
    ),
    docs=("https://www.cni.dev/docs/spec/",),
    ask="kubectl get events -A --field-selector reason=FailedCreatePodSandBox",
)
