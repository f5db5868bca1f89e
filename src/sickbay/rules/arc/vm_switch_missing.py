from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The hosts have no virtual switch of the name that the network asks for",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i)Hyper-V was unable to find a virtual switch (?:with name|matching the given criteria) ?\"?(?P<switch>[^\"]{0,80})|VM ?Switch \[?'?(?P<name>[^\]']{1,80})\]?'? (?:is |was )?(?:not found|does not exist|not present)|(?:virtual switch|vswitch) '?(?P<given>[\w() -]{1,80})'? (?:does not exist|not found|is not (?:available|present)) on (?:node|host|server|all|any)",
            says="there is no such virtual switch",
            sample='Hyper-V was unable to find a virtual switch with name "ComputeSwitch(compute)".',
            near_miss='Hyper-V connected the adapter to the virtual switch with name "ComputeSwitch(compute)".',
        ),
    ),
    why="A logical network and a virtual network of AKS name a Hyper-V switch, letter by letter. It is misspelled (intents make names such as ConvergedSwitch(compute_management)), missing on one host, or not an external switch.",
    remedy=(
        Step(
            "See the external switches of every host.",
            run=("powershell", "-Command", "Get-VMSwitch", "-SwitchType", "External"),
            risk=Risk.READ,
        ),
        Step(
            "Delete the network and create it with the exact name, or create the switch on the host that lacks it.",
            risk=Risk.DISRUPTIVE,
            verify="the network shows provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/create-logical-networks",),
    leads_to=("arc.cloud_resource_failed",),
    ask="powershell -Command Get-VMSwitch -SwitchType External",
)
