from sickbay.model.host import ManagementMachine
from sickbay.model.snapshot import Snapshot
from sickbay.network.kva_steps import account, first_failing, walked
from sickbay.rulekit import SYMPTOM, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ManagementMachine, SYMPTOM)
def one_fails(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:
    if not machine.appliance:
        return Clear("no resource bridge was looked at from here")
    steps = walked(machine, snapshot)
    first = first_failing(steps)
    if first is None:
        return Clear(account(steps))
    return Match(
        account(steps),
        facts={"step": str(first.number)},
        cites=tuple(machine.cite("probes", probe.says) for _, probe in first.failures[:3]),
        subject=machine.subject,
    )


RULE = Rule(
    title="One of the six steps fails that an Arc resource bridge needs to deploy (KVA timeout)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(one_fails,),
    why="Management machine, appliance VM, control plane, private cloud, DNS servers and the required URLs must reach one another. The six steps are tried in order from each place that can be reached: whichever fails first tells where to look, and those that pass rule out the rest. A deployment over such a network ends in a KVA timeout.",
    remedy=(
        Step("Mend what step {step} shows before looking at later steps."),
        Step(
            "Walk the steps again.",
            run=("sickbay", "diagnose", "--appliance", "<folder-of-the-files>"),
            risk=Risk.READ,
            verify="all six steps pass",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    ask="sickbay diagnose --appliance <folder-of-the-files>",
)
