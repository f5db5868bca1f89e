from sickbay.model.host import ManagementMachine
from sickbay.model.probe import CUT_OFF, Result, Role
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_BLOCKED = CUT_OFF | {Result.TLS_FAILED}


@each(ManagementMachine)
def reaches_no_url(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    tried = machine.tried(Role.URL)
    if any(probe.result not in _BLOCKED for probe in tried):
        return Clear("this machine reaches some of the required URLs, or fails before it tries")
    return Match(
        f"from this machine, none of {len(tried)} required URLs is reached; {tried[0].says}",
        cites=(machine.cite("probes", tried[0].says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="This machine has no way to Azure: every required URL is cut off on port 443",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(reaches_no_url,),
    why="Names resolve, but no connection to port 443 outside is answered: a firewall drops or rejects them, there is no route, or the site expects a proxy that is not set (HTTPS_PROXY). The Azure CLI can neither sign in nor download the image of an appliance from here.",
    remedy=(
        Step(
            "Try one URL by hand.",
            run=("curl", "-v", "https://management.azure.com"),
            risk=Risk.READ,
            verify="any HTTP answer is good",
        ),
        Step(
            "Set HTTPS_PROXY and NO_PROXY if this site uses a proxy; otherwise open port 443 from this machine to the required URLs."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
        "https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting#work-behind-a-proxy",
    ),
    leads_to=("arc.kva_step_fails",),
    ask="curl -v https://management.azure.com",
)
