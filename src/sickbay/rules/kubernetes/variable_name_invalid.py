from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Keys of a config map or secret are no valid names of environment variables, so the container does not get them",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"Keys \[(?P<keys>[^\]]{1,300})\] from the EnvFrom (?P<source>(?:[cC]onfigMap|[sS]ecret) [\w./-]{1,300}) were skipped|InvalidEnvironmentVariableNames",
            says="keys are skipped[: {keys} of {source}]",
            sample="Warning  InvalidEnvironmentVariableNames  3s  kubelet  Keys [my.key] from the EnvFrom configMap shop/settings were skipped since they are considered invalid environment variable names.",
            near_miss="Normal  Pulled  3s  kubelet  Keys [MY_KEY] from the EnvFrom configMap shop/settings are set",
        ),
    ),
    why="With envFrom every key becomes a variable, and a key with a dot, a dash or a digit at its start is no valid name before Kubernetes 1.32: the kubelet leaves it out and starts the container without it, so that a program misses a setting that is there.",
    remedy=(
        Step(
            "See which keys were left out.",
            run=(
                "kubectl",
                "get",
                "events",
                "-n",
                "{namespace}",
                "--field-selector",
                "reason=InvalidEnvironmentVariableNames",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Rename the keys to letters, digits and underscores, give them by valueFrom under another name, or mount the config map as files.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get events -n {namespace} wants no new InvalidEnvironmentVariableNames",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/#configure-all-key-value-pairs-in-a-configmap-as-container-environment-variables",
    ),
    leads_to=("kubernetes.setting_missing",),
    ask="kubectl get events -n {namespace} --field-selector reason=InvalidEnvironmentVariableNames",
)
