from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The charts that a chart depends on are not in its charts folder (helm dependency build)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)found in Chart\.(?:yaml|lock), but missing in charts/ directory: (?P<charts>[\w., -]{1,200})|error occurred while checking for chart dependencies|no cached repository for \S{1,120} found|no repository definition for \S{1,200}|the lock file \(Chart\.lock\) is out of sync with the dependencies file",
            says="dependencies of the chart are missing",
            sample="Error: found in Chart.yaml, but missing in charts/ directory: postgresql, redis",
            near_miss="Saving 2 charts. Deleting outdated charts",
        ),
    ),
    why="A chart carries its dependencies as archives in charts/. They are usually not in the repository of the chart and must be fetched before it is rendered or packaged.",
    remedy=(
        Step(
            "Fetch them.",
            run=(
                "helm",
                "dependency",
                "build",
                "<chart>",
            ),
            risk=Risk.SAFE,
            verify="helm template renders without this message",
        ),
    ),
    docs=("https://helm.sh/docs/helm/helm_dependency_build/",),
    leads_to=("kubernetes.release_gave_up",),
    ask="helm dependency list <chart>",
)
