from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Helm release is locked by an operation that has not ended (pending-install, pending-upgrade)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)another operation \(install/upgrade/rollback\) is in progress|release .{1,80}?(?:is|in|status:?) pending-(?:install|upgrade|rollback)| UTC pending-(?:install|upgrade|rollback) [\w.-]{1,100}-\d",
            says="another Helm operation holds the release",
            sample="Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress",
            near_miss='Release "web" has been upgraded. Happy Helming!',
            passes=True,
        ),
        Signature(
            pattern=r"NAMESPACE: \S{1,63} STATUS: pending-(?:install|upgrade|rollback)\b",
            says="the release waits for an operation",
            sample="NAME: web LAST DEPLOYED: Fri Jul 19 09:57:58 2024 NAMESPACE: shop STATUS: pending-install REVISION: 1",
            near_miss="NAME: web LAST DEPLOYED: Fri Jul 19 09:57:58 2024 NAMESPACE: shop STATUS: deployed REVISION: 1",
            weight=TYPICAL,
        ),
        Signature(
            # Azure says so of an extension, mostly because of its release.
            pattern=r"(?i)Update failed for this resource, as there is a conflicting operation in progress",
            says="Azure holds an operation on the extension to be under way",
            sample="UpdateFailed: Update failed for this resource, as there is a conflicting operation in progress. Please try after sometime.",
            near_miss="Update of this resource succeeded, there is no operation in progress.",
            weight=TYPICAL,
        ),
    ),
    why="Helm notes in a secret that an operation is under way. When the client was interrupted (a cancelled pipeline, a lost connection, a restarted Flux controller), the note stays at pending, and every further operation is refused.",
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
            "If nothing works on it any more, go back to the last revision that was deployed; a first installation that hangs is uninstalled instead.",
            run=(
                "helm",
                "rollback",
                "<release>",
                "-n",
                "<namespace>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="helm status of the release wants deployed",
        ),
        Step("Repeat the operation."),
    ),
    docs=("https://helm.sh/docs/helm/helm_rollback/",),
    leads_to=("kubernetes.release_gave_up", "arc.extension_failed"),
    ask="helm list -A --pending",
)
