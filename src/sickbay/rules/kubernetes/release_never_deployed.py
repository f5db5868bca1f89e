from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Helm release has no revision that was ever deployed: its first installation failed, or it does not exist",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'(?i)(?P<release>[\w.-]+)"? has no deployed releases|(?:Release not loaded: (?P<name>[\w.-]+): )?\brelease: not found\b|(?:UPGRADE|ROLLBACK) FAILED: release: \"?(?P<unknown>[\w.-]+)\"? not found|no revision for release "?(?P<asked>[\w.-]+)|Error: (?:UPGRADE FAILED|ROLLBACK FAILED|release)?:? ?release: not found',
            says="Helm knows no deployed revision of the release",
            sample='Error: UPGRADE FAILED: "shop" has no deployed releases',
            near_miss='Release "shop" does not exist. Installing it now.',
        ),
    ),
    why="An upgrade or rollback starts from the last revision that was deployed. The first installation of this release failed, its history was deleted, or the name or namespace is another one, so that there is nothing to start from.",
    remedy=(
        Step(
            "See all releases, also failed ones.",
            run=(
                "helm",
                "list",
                "-A",
                "-a",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the failed first installation.",
            run=(
                "helm",
                "uninstall",
                "<release>",
                "-n",
                "<namespace>",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Install it anew, in the right namespace.",
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
    docs=("https://helm.sh/docs/helm/helm_upgrade/",),
    leads_to=("kubernetes.release_gave_up", "arc.extension_failed"),
    ask="helm list -A -a",
)
