from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A bare-metal machine is Degraded: kernel memory errors",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)\bKernelMemoryErrors ?detected\b|\d+ kernel memory error\(?s?\)? detected|\bDegraded: kernel memory",
            says="the kernel of the machine reported memory errors",
            sample="KernelMemoryErrorsdetected: 1 kernel memory error(s) detected in the last 15 min",
            near_miss="KernelMemoryHealthy: No kernel memory related errors detected",
        ),
    ),
    why="The kernel logged memory errors (KernelMemoryErrorsdetected) within the last fifteen minutes: mostly a failing memory module, seldom a defect of a driver.",
    remedy=(
        Step(
            "See what Azure says of the machine.",
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
                "{status:detailedStatus,message:detailedStatusMessage,cordon:cordonStatus,power:powerState,ready:readyState}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Move the workload away.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "cordon",
                "--evacuate",
                "True",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Look at the memory modules in the lifecycle log of the BMC, replace the one that is named, and run the replace action.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants detailedStatusMessage without Degraded or Warning",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-bare-metal-machine-degraded",
    ),
    leads_to=("nexus.bmm_cordoned",),
    ask="az networkcloud baremetalmachine list -o table",
)
