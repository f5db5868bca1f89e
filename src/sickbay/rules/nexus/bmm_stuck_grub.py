from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A bare-metal machine hangs in its boot loader: the console is stuck at the GRUB menu",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CREATION),
    detect=(
        Signature(
            pattern=r"(?i)console (?:is )?stuck (?:at|in) (?:the )?boot ?loader|(?:stuck|hangs?|hung|stops?|sits?) (?:at|in) (?:the )?(?:boot loader )?\(?GRUB\)? ?(?:menu|prompt)",
            says="the machine hangs in its boot loader",
            sample="Machine did not boot: Console stuck at boot loader (GRUB) menu",
            near_miss="Machine booted past the boot loader (GRUB) menu",
        ),
        Signature(
            pattern=r"(?i)^ ?grub(?: rescue)?> ?|error: no such (?:device|partition)\.? .{0,60}?grub rescue>",
            says="the console shows the prompt of GRUB",
            sample="error: no such partition. Entering rescue mode... grub rescue>",
            near_miss="Loading Linux 6.6.85 ... booting past grub",
            weight=TYPICAL,
        ),
    ),
    why="The boot order in the NVRAM of the server is locked on an entry that no longer exists, so it stops in the GRUB menu instead of booting the image over the network.",
    remedy=(
        Step(
            "See in which phase the machine stands.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "{status:detailedStatus,message:detailedStatusMessage,power:powerState}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Reset the NVRAM of the server from its BMC, so that the boot order is free again.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Run the replace action of the machine.",
            risk=Risk.DESTRUCTIVE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants detailedStatus Provisioned and readyState True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-bare-metal-machine-provisioning",
    ),
    leads_to=("nexus.bmm_not_ready",),
    ask="az networkcloud baremetalmachine list -o table",
)
