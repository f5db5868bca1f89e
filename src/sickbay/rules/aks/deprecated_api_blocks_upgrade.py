from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Workloads still call an API that the new version removes, so the upgrade is blocked",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"\bUpgradeBlockedOnDeprecatedAPIUsage\b|(?i:control plane upgrade is blocked due to recent usage of (?:a )?Kubernetes API)|(?i:detected recent usage of (?:a )?deprecated API)",
            says="an API that the new version removes was called lately",
            sample="(UpgradeBlockedOnDeprecatedAPIUsage) Control Plane upgrade is blocked due to recent usage of a Kubernetes API deprecated in the specified version. Please refer to https://kubernetes.io/docs/reference/using-api/deprecation-guide to migrate the usage.",
            near_miss="No usage of a deprecated Kubernetes API was detected for the specified version",
        ),
    ),
    why="`UpgradeBlockedOnDeprecatedAPIUsage`: within the last 12 hours a client used an API version that the target release no longer serves. It would fail after the upgrade, so AKS stops before it.",
    remedy=(
        Step(
            "See which APIs are called and by whom.",
            run=("kubectl", "get", "--raw", "/metrics"),
            risk=Risk.READ,
        ),
        Step(
            "Move manifests, charts and controllers to the current API versions, then wait 12 hours and upgrade.",
            risk=Risk.SAFE,
            verify="apiserver_requested_deprecated_apis in /metrics wants no entry with the target release",
        ),
        Step(
            "If the calls are harmless, upgrade in spite of them.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-force-upgrade",
                "--upgrade-override-until",
                "<time>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/stop-cluster-upgrade-api-breaking-changes",
        "https://kubernetes.io/docs/reference/using-api/deprecation-guide/",
    ),
    leads_to=("aks.operation_failed",),
    ask="kubectl get --raw /metrics",
)
