from sickbay.model.host import ManagementMachine
from sickbay.model.probe import CUT_OFF, Role
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ManagementMachine)
def is_cut_off(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    tried = machine.tried(Role.FABRIC)
    lost = [probe for probe in tried if probe.result in CUT_OFF]
    if not lost:
        return Clear(f"no port of {tried[0].target} is closed to this machine")
    return Match(
        f"step 3 of the six: from this machine, {lost[0].says}",
        cites=(machine.cite("probes", lost[0].says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="The management machine cannot open a connection to vCenter (port 443)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        is_cut_off,
        Signature(
            pattern=r"(?i)error getting the vsphere sdk client:? .{0,200}?(?:connectex|i/o timeout|connection refused|no route to host|deadline exceeded|A connection attempt failed)",
            says="the vSphere SDK of vCenter was not reached",
            sample='CreateConfigKvaCustomerError: error getting the vsphere sdk client: Post "https://10.20.0.5/sdk": dial tcp 10.20.0.5:443: connectex: A connection attempt failed because the connected party did not properly respond after a period of time',
            near_miss='error getting the vsphere sdk client: POST "/sdk": 404 not found',
        ),
    ),
    why="`az arcappliance createconfig` and the deployment talk to the vSphere SDK of vCenter from the management machine. The connection timed out or was refused: a firewall, a wrong address or a proxy stands in between.",
    remedy=(
        Step(
            "Try the port from the management machine.",
            run=(
                "Test-NetConnection",
                "<vcenter>",
                "-Port",
                "443",
            ),
            risk=Risk.READ,
            verify="TcpTestSucceeded wants True",
        ),
        Step(
            "Open 443 from the management machine to vCenter, and put vCenter on the no_proxy list.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/quick-start-connect-vcenter-to-arc-using-script",
    ),
    leads_to=(
        "arc.kva_timeout",
        "arc.kva_step_fails",
        "arc.fabric_unreachable",
    ),
    ask="Test-NetConnection <vcenter> -Port 443",
)
