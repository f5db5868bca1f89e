from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The update run targets an empty fleet (UpdateRunTargetingEmptyFleet)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"\bUpdateRunTargetingEmptyFleet\b|target fleet of this update run is empty",
            says="the fleet has no members",
            sample="UpdateRunTargetingEmptyFleet: The target fleet of this update run is empty. Resource ID: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg1/providers/Microsoft.ContainerService/fleets/fleet1/updateRuns/run1",
            near_miss="The target fleet of this update run has 3 members",
        ),
    ),
    why="A fleet update run needs member clusters to update. The fleet has none yet: its members are still joining or were never added.",
    remedy=(
        Step(
            "List the members of the fleet.",
            run=(
                "az",
                "fleet",
                "member",
                "list",
                "-g",
                "{resource_group}",
                "--fleet-name",
                "{name}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add member clusters, and start the update run when they have joined.",
            risk=Risk.SAFE,
            verify="az fleet member list shows provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/kubernetes-fleet/update-orchestration",),
    leads_to=("aso.not_ready",),
    ask="az fleet member list -g {resource_group} --fleet-name {name} -o table",
)
