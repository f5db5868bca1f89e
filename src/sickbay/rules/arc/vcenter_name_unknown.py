from sickbay.model.host import ManagementMachine
from sickbay.model.probe import DNS_FAILURES, Role
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ManagementMachine)
def is_not_resolved_here(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    tried = [probe for probe in machine.tried(Role.INTERNAL) if not probe.via]
    lost = [probe for probe in tried if probe.result in DNS_FAILURES]
    if not lost:
        return Clear("this machine resolves the name of its private cloud")
    return Match(
        f"step 5 of the six: this machine does not resolve {lost[0].target}: "
        f"{lost[0].detail or lost[0].result}",
        cites=(machine.cite("probes", lost[0].says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="The management machine cannot resolve the name of vCenter",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        is_not_resolved_here,
        Signature(
            pattern=r"(?i)vsphere sdk client:? .{0,200}?lookup (?P<vcenter>[\w.-]+):? (?:on \S+ )?(?:no such host|server misbehaving|Temporary failure in name resolution)|https?://(?P<address>[\w.-]+)/sdk\W{0,3}: dial tcp: lookup \S{1,200}:? (?:on \S+ )?no such host",
            says="vCenter's name is not resolved on this machine",
            sample='CreateConfigKvaCustomerError: error getting the vsphere sdk client: Post "https://vcenter.contoso.com/sdk": dial tcp: lookup vcenter.contoso.com: no such host',
            near_miss='error getting the vsphere sdk client: Post "https://vcenter.contoso.com/sdk": dial tcp 10.0.0.5:443: i/o timeout',
            unless=r"(?i)lookup [\w.-]+\.local\b|on 127\.0\.0\.53:53|vsphere(?:vm|cluster|machine)_controller|failed to create vSphere session",
        ),
    ),
    why="createconfig, validate and prepare talk to vCenter from the management machine. Its DNS servers do not know the name that was given (lookup: no such host in `error getting the vsphere sdk client`).",
    remedy=(
        Step(
            "Ask the DNS server of this machine for vCenter.",
            run=(
                "nslookup",
                "<vcenter>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the record, use a DNS server that has it, or give the IP address of vCenter.",
        ),
        Step(
            "Repeat.",
            run=(
                "az",
                "arcappliance",
                "createconfig",
                "vmware",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=(
        "arc.kva_timeout",
        "arc.kva_step_fails",
        "arc.fabric_unreachable",
        "network.name_resolution_fails",
        "network.dns_name_unknown",
    ),
    ask="nslookup <vcenter>",
)
