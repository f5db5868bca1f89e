from sickbay.model.aso import POLLER, AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AsoObject)
def is_being_worked_on(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    ready = thing.ready
    if ready is None or ready.severity != "Info":
        return None
    work = "an operation of Azure runs" if POLLER in thing.annotations else "nothing was sent yet"
    since = f" since {ready.last_transition_time}" if ready.last_transition_time else ""
    return Match(
        f"{thing.object_kind} {thing.name} is {ready.reason}{since}: {work}",
        cites=(thing.cite("status.conditions[type=Ready].reason", ready.reason),),
    )


RULE = Rule(
    title="An ASO object is still Reconciling: an operation in Azure is in progress",
    severity=Severity.INFO,
    categories=(Category.CREATION,),
    detect=(
        is_being_worked_on,
        Signature(
            pattern=r"\bReconciling\b.{0,5}?The resource is in the process of being reconciled by the operator",
            says="an object is being reconciled",
            sample="aso-sample-rg False Info Reconciling The resource is in the process of being reconciled by the operator",
            near_miss="aso-sample-rg True Succeeded",
        ),
    ),
    why="Severity Info means that ASO waits for a long-running operation of Azure or has not finished its first pass. It is a fault only when it lasts longer than the operation can take.",
    remedy=(
        Step(
            "See since when, and whether an operation of Azure runs (annotation poller-resume-token).",
            run=(
                "kubectl",
                "get",
                "azure",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If it lasts longer than an hour, read the activity log of the resource and the log of the controller.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-group",
                "{resource_group}",
                "--offset",
                "1d",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",),
)
