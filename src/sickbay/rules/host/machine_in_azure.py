from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Connected Machine agent was to be installed on an Azure virtual machine, which it refuses",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Cannot install (?:Azure )?Connected Machine agent on an Azure Virtual Machine|Azure check indicates that we are in Azure",
            says="the machine is an Azure VM",
            sample="Cannot install Azure Connected Machine agent on an Azure Virtual Machine. Azure Connected Machine Agent is designed for use outside Azure.",
            near_miss="VERBOSE: Checking if this is an Azure virtual machine",
        ),
    ),
    why="Azure Arc is for machines outside Azure. The installer asks the instance metadata service (169.254.169.254), and stops where it answers; Azure VMs have the same features through their own agent.",
    remedy=(
        Step(
            "Use the VM's own extensions. For a test only, set MSFT_ARC_TEST to true for the machine and block the metadata address, as the vendor's page describes.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/servers/plan-evaluate-on-azure-virtual-machine",
    ),
    leads_to=("host.machine_agent_failed",),
    ask="curl -H Metadata:true http://169.254.169.254/metadata/instance?api-version=2021-02-01",
)
