from sickbay.model.host import ApplianceVm
from sickbay.model.probe import CUT_OFF, Role
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


@each(ApplianceVm)
def is_cut_off(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    tried = vm.tried(Role.FABRIC)
    lost = [probe for probe in tried if probe.result in CUT_OFF]
    if not lost:
        return Clear(f"no port of {tried[0].target} is closed to the appliance VM")
    return Match(
        f"step 3 of the six: from the appliance VM, {' and '.join(p.says for p in lost[:2])}",
        facts={"vcenter": lost[0].target},
        cites=(vm.cite("probes", lost[0].says),),
        subject=vm.subject,
    )


RULE = Rule(
    title="The appliance cannot reach vCenter or the MOC cloud agent of its private cloud (ports 443, 55000, 65000)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        is_cut_off,
        Signature(
            pattern=r"(?i)Not able to connect to (?P<endpoint>https?://[^ ]+:(?:55000|65000|50000))\b.{0,300}?(?:i/o timeout|connection refused|no route to host|deadline exceeded|connection timed out)|dial tcp \S{3,60}:(?:55000|65000): (?:connect: |i/o timeout|connectex)|TCP connect to \(?[\w.-]+ : (?:55000|65000)\)? failed|cloud-agent-connectivity-test Fail(?:ure|ed) Make sure",
            says="the cloud agent of the private cloud is not reached",
            sample='CloudAgentConnectivityError: Not able to connect to http://cloudagent.contoso.com:55000. Error returned: action failed after 5 attempts: Get "http://cloudagent.contoso.com:55000": dial tcp 10.1.2.3:55000: i/o timeout',
            near_miss="Connected to http://cloudagent.contoso.com:55000",
        ),
        Signature(
            pattern=r"(?i)Context timed out during phase[^A-Za-z0-9]{0,8}WaitingForCluster\b",
            says="the cluster inside the appliance was never initialised",
            sample="Context timed out during phase 'WaitingForCluster'",
            near_miss="Context timed out during phase 'WaitingForAPIServer'",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)https?://(?P<vcenter>[\w.-]+)(?::\d+)?/sdk\W{0,3}:? ?dial tcp \S{3,60}:443: (?:i/o timeout|connect: (?:connection refused|no route to host|connection timed out)|connectex)",
            says="vCenter {vcenter} is not reached",
            sample='failed to create session: Post "https://vc01.contoso.com/sdk": dial tcp 192.0.2.5:443: i/o timeout',
            near_miss='failed to create session: Post "https://vc01.contoso.com/sdk": 503 Service Unavailable',
            weight=TYPICAL,
            unless=r"(?i)vsphere sdk client",
        ),
        Signature(
            pattern=r"(?i)(?:creation|deletion|operation) failed because (?:MOC|it) is unreachable|aksarc-moc-unreachable|\bMOC is unreachable",
            says="the MOC cloud agent is unreachable",
            sample="AksArc creation failed because MOC is unreachable. Read aka.ms/aksarc-moc-unreachable for more information.",
            near_miss="AksArc creation completed because MOC is reachable",
        ),
    ),
    why="The appliance VM and its control plane IP must open connections to vCenter on 443, or on Azure Local to the MOC cloud agent on 55000 and 65000. When these are closed the cluster inside the appliance never initialises, and the deployment ends in a KVA timeout (Context timed out during phase WaitingForCluster).",
    remedy=(
        Step(
            "Try the endpoint from the network of the appliance.",
            run=(
                "curl",
                "-kv",
                "https://<vcenter-or-cloud-agent>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Open 443 to vCenter, or 55000 and 65000 to the MOC cloud agent, from the appliance VM IPs and the control plane IP; on Azure Local see that the cloud agent runs.",
            run=(
                "powershell",
                "Get-ClusterGroup",
                "-Name",
                "ca-*",
            ),
            risk=Risk.READ,
            verify="the cluster group of the cloud agent wants Online",
        ),
        Step(
            "Repeat the operation.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=(
        "arc.kva_step_fails",
        "arc.kva_timeout",
    ),
    ask="Test-NetConnection <vcenter> -Port 443; Test-NetConnection <cloud-agent> -Port 55000; Test-NetConnection <cloud-agent> -Port 65000",
)
