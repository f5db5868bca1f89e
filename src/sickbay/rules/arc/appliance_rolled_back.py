from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The appliance VM was rolled back to a snapshot or backup, which is not supported",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:Revert(?:ToCurrent|To)?Snapshot(?:_Task)?|revert(?:ed)? to (?:current )?snapshot|restored? from (?:snapshot|backup|checkpoint)|Restore-VMSnapshot|Restore-VMCheckpoint|applied checkpoint|Apply checkpoint).{0,200}?(?:appliance|resource ?bridge|\barb\b|control-plane)|(?:appliance|resource ?bridge|control-plane)\S{0,60} .{0,100}?(?:was |has been )?(?:reverted to|rolled back to|restored from) .{0,20}?(?:snapshot|backup|checkpoint)",
            says="the appliance VM was rolled back",
            sample="Task: RevertToSnapshot_Task Target: contoso-appliance-control-plane-x2k4 Status: Completed Initiator: VSPHERE.LOCAL\\backup",
            near_miss="Task: RevertToSnapshot_Task Target: web-frontend-01 Status: Completed",
            weight=TYPICAL,
        ),
    ),
    why="The appliance renews keys and state together with Azure. A VM that is rolled back to a snapshot, checkpoint or backup holds what Azure no longer accepts; the bridge goes Offline or fails to upgrade and has to be recovered by deploying it again.",
    remedy=(
        Step(
            "See state, status and events.",
            run=(
                "az",
                "arcappliance",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Run the recovery procedure of the private cloud, which redeploys the appliance and keeps the Azure resources; on Azure Local ask support.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Keep the appliance VM out of snapshot and backup jobs.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/recover-from-resource-bridge-deletion",
    ),
    leads_to=(
        "arc.appliance_offline",
        "arc.upgrade_failed",
    ),
    ask="govc events -type RevertToSnapshot <appliance-vm>",
)
