from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Another Helm operation on the extension is still in progress",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)another operation \(install/upgrade/rollback\) is in progress",
            says="another Helm operation is in progress",
            sample="Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress",
            near_miss="UPGRADE completed, no other operation is in progress",
        ),
    ),
    why="Helm does one operation at a time on a release. After an interrupted one the release stays pending, and every next one is refused: another operation (install/upgrade/rollback) is in progress.",
    remedy=(
        Step(
            "See which release is pending.",
            run=(
                "helm",
                "list",
                "-A",
                "--pending",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait ten minutes; if it stays pending, go back to the last good revision.",
            run=(
                "helm",
                "rollback",
                "<release>",
                "-n",
                "<namespace>",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Repeat the operation.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/cluster-extension-deployment-errors",
    ),
    leads_to=("arc.extension_failed",),
    ask="helm list -A --pending",
)
