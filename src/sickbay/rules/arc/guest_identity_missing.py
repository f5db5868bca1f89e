from sickbay.model.privatecloud import AzureLocalGuestAgent, HybridMachine
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(AzureLocalGuestAgent)
def machine_has_no_identity(
    agent: AzureLocalGuestAgent, snapshot: Snapshot
) -> Match | Clear | None:
    if not agent.is_unwell:
        return Clear(f"guest management is {agent.provisioning_state or 'of unknown state'}")
    machine = snapshot.get(agent.machine, HybridMachine)
    if machine is None or machine.has_identity:
        return Clear("the machine has a system-assigned identity")
    kind = (machine.identity and machine.identity.type) or "None"
    return Match(
        f"guest management of {machine.name} failed, and its identity is {kind}",
        cites=(machine.cite("identity.type", kind),),
        subject=machine.ref,
    )


RULE = Rule(
    title="The VM's machine resource has no system-assigned managed identity, which guest management needs",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CREATION,
    ),
    detect=(
        machine_has_no_identity,
        Signature(
            pattern=r"(?i)Invalid managed identity\. A system-assigned managed identity\b|does not have a system[- ]assigned managed identity.{0,120}?HybridCompute|Guest management .{0,120}?system[- ]assigned managed identity",
            says="the parent machine has no system-assigned identity",
            sample="VM Spec validation failed for guest agent provisioning: Invalid managed identity. A system-assigned managed identity must be enabled in parent resource: Invalid Configuration",
            near_miss="A system-assigned managed identity is enabled in the parent resource",
        ),
    ),
    why="Guest management on Azure Local needs a system-assigned managed identity on the parent Microsoft.HybridCompute/machines resource; the identity block belongs there, not on virtualMachineInstances.",
    remedy=(
        Step(
            "Enable the identity.",
            run=(
                "az",
                "connectedmachine",
                "update",
                "--ids",
                "<machine-id>",
                "--set",
                "identity.type=SystemAssigned",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Enable guest management again.",
            run=(
                "az",
                "stack-hci-vm",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "<vm>",
                "--enable-agent",
                "true",
            ),
            risk=Risk.SAFE,
            verify="az connectedmachine show --ids <machine-id> --query identity.type wants SystemAssigned",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-arc-enabled-vms",),
    leads_to=("aks.operation_failed",),
    ask="az connectedmachine show --ids <machine-id> --query identity.type",
)
