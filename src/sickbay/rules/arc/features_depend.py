from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster-connect feature cannot be disabled while custom locations are enabled",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)Disabling '?cluster-connect'? feature is not allowed when '?custom-locations'? feature is enabled",
            says="custom-locations needs cluster-connect",
            sample="Disabling 'cluster-connect' feature is not allowed when 'custom-locations' feature is enabled",
            near_miss="Disabling 'cluster-connect' feature succeeded",
        ),
    ),
    why="Custom locations work through cluster connect; the two features are disabled together or not at all.",
    remedy=(
        Step(
            "Disable both, or none.",
            run=(
                "az",
                "connectedk8s",
                "disable-features",
                "--features",
                "cluster-connect",
                "custom-locations",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/custom-locations",),
)
