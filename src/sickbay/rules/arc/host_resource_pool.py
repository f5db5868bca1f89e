from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The default resource pool of a single host is chosen, which the resource bridge does not offer or support",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?:resource ?pool|resourcepool) '?(?P<resource_pool>[^']{1,120}?)'? (?:not found|does not exist|is a (?:default )?host resource pool)|default host resource pools? (?:are |is |aren.t )?(?:unavailable|not (?:listed|supported|shown)|listed)",
            says="the resource pool cannot be used",
            sample="Error: resource pool '/DC1/host/esx01/Resources' not found",
            near_miss="Resource pool '/DC1/host/cluster1/Resources/arc' selected",
            weight=TYPICAL,
        ),
    ),
    why="`az arcappliance createconfig` lists cluster pools and pools that users made, but not the default pool of a standalone host, because a bridge there has no high availability when the host fails.",
    remedy=(
        Step(
            "See the pools there are.",
            run=(
                "govc",
                "find",
                "/",
                "-type",
                "p",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Choose the default pool of a cluster, or make a pool for the bridge.",
            run=(
                "govc",
                "pool.create",
                "<cluster>/Resources/arc",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Create the configuration files again.",
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
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
    ask="govc find / -type p",
)
