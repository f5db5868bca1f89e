from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Several vSphere networks have the name that the appliance uses, so that it is ambiguous",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.CREATION,
    ),
    detect=(
        Signature(
            pattern=r"(?i)vSphere Network '(?P<network>[^']{1,120})': path '[^']{1,200}' resolves to multiple networks|resolves to multiple networks",
            says="the network {network} exists more than once",
            sample="InvalidEntityError: Cannot retrieve vSphere Network 'vmware-azure-arc-01': path 'vmware-azure-arc-01' resolves to multiple networks",
            near_miss="Cannot retrieve vSphere Network 'vmware-azure-arc-01': not found",
        ),
    ),
    why="The path of the network resolves to multiple networks: more than one port group or segment has the same name, and the bridge cannot tell which one is meant.",
    remedy=(
        Step(
            "See the duplicates.",
            run=(
                "govc",
                "find",
                "/",
                "-type",
                "n",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Rename the duplicate that the appliance does not use, then repeat the operation.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=("arc.upgrade_failed",),
    ask="govc find / -type n -name <network>",
)
