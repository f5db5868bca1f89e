from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Helm release of this name exists already in the namespace (cannot re-use a name)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)cannot re-?use a name that is still in use|a release named \"?(?P<release>[\w.-]+)\"? (?:already exists|is (?:already )?in use)",
            says="the name of the release is taken",
            sample="Error: INSTALLATION FAILED: cannot re-use a name that is still in use",
            near_miss="Error: INSTALLATION FAILED: timed out waiting for the condition",
            unless=r"(?i)cluster-diagnostic-checks",
        ),
    ),
    why="helm install makes a new release, and one of this name is in the namespace already: installed before, or left over from a failed attempt.",
    remedy=(
        Step(
            "See it.",
            run=(
                "helm",
                "list",
                "-a",
                "-n",
                "<namespace>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade it instead of installing it, or uninstall what is left over.",
            run=(
                "helm",
                "upgrade",
                "--install",
                "<release>",
                "<chart>",
                "-n",
                "<namespace>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="helm status of the release wants deployed",
        ),
    ),
    docs=("https://helm.sh/docs/helm/helm_install/",),
    leads_to=("kubernetes.release_gave_up", "arc.extension_failed"),
    ask="helm list -A -a",
)
