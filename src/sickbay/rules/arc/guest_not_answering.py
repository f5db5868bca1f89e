from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The guest of a new VM on Azure Local never answered its host: the image does not boot or lacks the guest agent",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Could not establish Hyper-?V connection for VM",
            says="the guest did not answer over Hyper-V sockets",
            sample="moc-operator virtualmachine serviceClient returned an error while reconciling: rpc error: code = Unknown desc = Could not establish HyperV connection for VM ID [E5BF0FC3-DB6D-40AA-BB46-DD94E4E0719A] within [900] seconds, error: [<nil>]",
            near_miss="HyperV connection for VM ID [E5BF0FC3] established",
            weight=TYPICAL,
        ),
    ),
    why="After the first boot MOC waits 15 minutes for its guest agent over a Hyper-V socket. It does not come when the image does not boot (wrong generation, not generalized by sysprep or cloud-init), is of a Linux without the Hyper-V socket, or cannot start the agent from the attached ISO.",
    remedy=(
        Step(
            "Open the console of the VM and see how far it boots; inside, read the logs of mocguestagent.",
            run=("powershell", "-Command", "Get-VM", "<vm>"),
            risk=Risk.READ,
        ),
        Step(
            "Make the image anew from a supported system: generalized, of the right generation, with cloud-init and the Hyper-V tools on Linux.",
            risk=Risk.DISRUPTIVE,
            verify="az stack-hci-vm show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/manage/collect-log-files-arc-enabled-vms",
    ),
    leads_to=("arc.cloud_resource_failed",),
    ask="Get-VM -Name <vm> | Get-VMIntegrationService",
)
