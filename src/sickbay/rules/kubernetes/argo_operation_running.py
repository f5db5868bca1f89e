from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An operation on an Argo CD application is still in progress, so another cannot begin",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)FailedPrecondition desc = another operation is already in progress|waiting for completion of hook (?P<hook>\S{3,150})(?: and \d+ more hooks)?$|Operation has been running for .{3,60}?waiting for completion of hook",
            says="an operation on the application has not ended",
            sample="FATA[0001] rpc error: code = FailedPrecondition desc = another operation is already in progress",
            near_miss="successfully synced (all tasks run)",
            passes=True,
        ),
    ),
    why="Argo CD runs one operation at a time on an application. A sync that waits for a hook or for a resource that never becomes healthy holds it.",
    remedy=(
        Step(
            "See what the running operation waits for.",
            run=(
                "kubectl",
                "get",
                "applications",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend the hook or the resource, or end the operation and sync again.",
            risk=Risk.DISRUPTIVE,
            verify="the operation of the application ends with Succeeded",
        ),
    ),
    docs=("https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/",),
    ask="kubectl get applications -A -o yaml",
)
