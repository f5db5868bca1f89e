from sickbay.model.host import ApplianceVm, ManagementMachine
from sickbay.model.probe import Role, Way
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(ManagementMachine)
def gives_no_answer(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    vm = machine.failed(Role.APPLIANCE, Way.REACH)
    if vm:
        return Match(
            f"step 2 of the six: from this machine, the appliance VM {vm[0].says}",
            cites=(machine.cite("probes", vm[0].says),),
            subject=machine.subject,
        )
    return Clear(f"this machine reaches {machine.tried(Role.APPLIANCE, Way.REACH)[0].target}")


@each(ManagementMachine)
def only_the_plane_is_hidden(
    machine: ManagementMachine, snapshot: Snapshot
) -> Match | Clear | None:
    lost = machine.failed(Role.CONTROL_PLANE)
    vms = snapshot.some(ApplianceVm) if lost else ()
    serves = [vm for vm in vms if not vm.failed(Role.CONTROL_PLANE)]
    if not serves:
        return Clear("the control plane answers this machine, or does not answer the VM either")
    return Match(
        f"step 2 of the six: the control plane answers the appliance VM, but from this machine "
        f"{lost[0].says}",
        cites=(machine.cite("probes", lost[0].says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="The management machine cannot reach the appliance VM or its control plane IP (ports 22 and 6443)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        gives_no_answer,
        only_the_plane_is_hidden,
        Signature(
            pattern=r"(?i)unable to reach the appliance VM IP,? ?(?P<address>[\d.]+)?|error reaching to Kubernetes cluster with kubeconfig|management machine is unable to reach .{0,60}?(?:appliance|control plane)",
            says="the management machine cannot reach the appliance VM",
            sample="PostOperationsError: The management machine is unable to reach the appliance VM IP, 10.20.4.21. Error: dial tcp 10.20.4.21:22: i/o timeout",
            near_miss="The management machine reached the appliance VM IP, 10.20.4.21",
        ),
        Signature(
            pattern=r"(?i)(?:collect|copy|download|fetch)\w* (?:the )?(?:appliance )?logs?\b.{0,120}?dial tcp (?P<logs>[\d.]+):22: (?:connectex|i/o timeout|connect: (?:no route|connection timed out))|TCP connect to \(?(?P<address>[\w.-]+) : (?:6443|22)\)? failed|RemotePort *: *(?:6443|22) .{0,200}?TcpTestSucceeded *: *False|dial tcp (?P<peer>[\d.]+):(?:22|6443): (?:connectex|i/o timeout|connect: (?:no route|connection timed out)).{0,200}?(?:appliance|kva|arc-?rb)|kvactl.{0,400}?https://(?P<plane>[\d.]+):6443.{0,200}?(?:Client\.Timeout|deadline exceeded|i/o timeout|connectex)|Waiting for API Server\W{1,6}Current API Server Error.{0,20}?https://(?P<api>[\d.]+):6443.{0,160}?(?:Client\.Timeout|deadline exceeded|i/o timeout|connectex|no route)|(?:appliance|kva|arc-?rb|akshci|clustergroup-management).{0,300}?dial tcp (?P<other>[\d.]+):(?:22|6443): (?:connectex|i/o timeout|connect: (?:no route|connection timed out))",
            says="a port of the appliance does not answer this machine",
            sample="WARNING: TCP connect to (192.0.2.20 : 6443) failed",
            near_miss="WARNING: TCP connect to (192.0.2.20 : 3389) failed",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Context timed out during phase[^A-Za-z0-9]{0,8}WaitingForAPIServer(?P<address>)",
            says="the API server of the appliance was not reached in time",
            sample='{ "errorCode": "ContextError", "errorResponse": "Context timed out during phase \'WaitingForAPIServer\'" }',
            near_miss="Context timed out during phase 'WaitingForCluster'",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\bAppliance Network Unavailable\b(?P<address>)|ssh: connect to host (?P<peer>[\d.]+) port 22: (?:Connection timed out|No route to host).{0,200}?(?:appliance|logkey|kva)",
            says="the host and the appliance VM cannot talk",
            sample="Appliance Network Unavailable: the operation could not reach the appliance",
            near_miss="Appliance network is available",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)arcappliance.{0,400}?https://(?P<plane>[\d.]+):6443.{0,200}?(?:TLS handshake timeout|i/o timeout|deadline exceeded|connectex|no route|connection refused|EOF)",
            says="the control plane {plane} does not answer",
            sample='az arcappliance get-credentials: Get "https://10.20.0.15:6443/api/v1/nodes": net/http: TLS handshake timeout',
            near_miss="az arcappliance get-credentials: https://10.20.0.15:6443 answers",
            weight=TYPICAL,
        ),
    ),
    why="The machine that runs `az arcappliance` drives the deployment over SSH (22) and the Kubernetes API (6443). When a firewall, a closed port or a proxy stands between it and the appliance VM IP or the control plane IP, the deployment ends in a KVA timeout (Context timed out during phase WaitingForAPIServer), and logs cannot be collected either.",
    remedy=(
        Step(
            "Try both ports from the management machine.",
            run=("Test-NetConnection", "<control-plane-ip>", "-Port", "6443"),
            risk=Risk.READ,
        ),
        Step(
            "Let the management machine reach the appliance VM IPs and the control plane IP on 22 and 6443, and put these addresses on the no_proxy list.",
            verify="Test-NetConnection <appliance-vm-ip> -Port 22 wants TcpTestSucceeded True",
        ),
        Step(
            "Repeat the deployment.",
            run=(
                "az",
                "arcappliance",
                "deploy",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=(
        "arc.kva_step_fails",
        "arc.kva_timeout",
        "arc.appliance_offline",
        "network.connection_times_out",
        "network.connection_refused",
    ),
    ask="ping <control-plane-ip>; Test-NetConnection <control-plane-ip> -Port 6443; Test-NetConnection <appliance-vm-ip> -Port 22",
)
