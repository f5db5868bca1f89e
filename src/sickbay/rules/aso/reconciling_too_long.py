from sickbay.model.ages import hours_between
from sickbay.model.aso import POLLER, AsoObject
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

# Most resources are there in minutes; some operations of Azure take hours.
_IDLE_HOURS = 1
_BUSY_HOURS = 6


@each(AsoObject, weight=TYPICAL)
def has_not_ended(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    ready = thing.ready
    if ready is None or ready.severity != "Info" or ready.status == "True":
        return None
    hours = hours_between(ready.last_transition_time, snapshot.once(_newest)) or 0
    is_running = POLLER in thing.annotations
    if hours < (_BUSY_HOURS if is_running else _IDLE_HOURS):
        return Clear(f"{thing.name} is {ready.reason} for {hours:.1f} hours")
    work = "an operation runs in Azure" if is_running else "ASO has nothing running in Azure for it"
    return Match(
        f"{thing.object_kind} {thing.name} is {ready.reason} for {hours:.1f} hours at least, and {work}",
        facts={"id": thing.resource_id or "<resource-id>"},
        cites=(
            thing.cite(
                "status.conditions[type=Ready].lastTransitionTime", ready.last_transition_time
            ),
        ),
        at=ready.last_transition_time or "",
    )


def _newest(snapshot: Snapshot) -> str:
    """The newest time in the evidence: there is no clock."""
    return max(
        (
            one.last_transition_time or ""
            for thing in snapshot.some(AsoObject)
            for one in thing.status.conditions or ()
        ),
        default="",
    )


RULE = Rule(
    title="An ASO object is Reconciling for hours: the controller is stuck, or the operation in Azure hangs",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(has_not_ended,),
    why="Reconciling with severity Info means that work goes on. The annotation poller-resume-token tells whether an operation of Azure is awaited; without it the controller should have sent the request within seconds, and did not finish its pass.",
    remedy=(
        Step(
            "See whether the controller runs and what it says of the object.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "azureserviceoperator-system",
                "-l",
                "control-plane=controller-manager",
                "-c",
                "manager",
                "--tail",
                "500",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See what Azure says of the resource.",
            run=(
                "az",
                "resource",
                "show",
                "--ids",
                "{id}",
                "--query",
                "properties.provisioningState",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If nothing runs, restart the controller.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment/azureserviceoperator-controller-manager",
                "-n",
                "azureserviceoperator-system",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",),
    leads_to=("aso.still_reconciling", "aso.owner_not_ready", "aso.waiting_for_owner"),
)
