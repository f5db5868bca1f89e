from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Fewer machines passed hardware validation than the deployment threshold wants",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)HardwareValidationThresholdFailed|hardware validation threshold for cluster layout plan is not met(?: for cluster (?P<site>[\w.$-]+))?.{0,80}?listed failed devices (?P<devices>[\w, .$-]{1,200})",
            says="too few machines passed hardware validation",
            sample="HardwareValidationThresholdFailed error hardware validation threshold for cluster layout plan is not met for cluster site1 in namespace nc-system with listed failed devices rack1compute01, rack1compute02",
            near_miss="hardware validation threshold for cluster layout plan is met for cluster site1",
        ),
    ),
    why="A deployment needs all control-plane and management machines and, by default, 80 percent of the compute machines of each rack to pass hardware validation (HardwareValidationThresholdFailed). The devices that failed are listed in the message; what failed in each is in the table HWVal_CL of the workspace.",
    remedy=(
        Step(
            "See how many machines must pass.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "computeDeploymentThreshold",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See the failing machines.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "list",
                "--query",
                "[].{name:name,result:hardwareValidationStatus.result,message:detailedStatusMessage}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repair them, or lower the threshold where the missing machines can wait, and deploy again.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "deploy",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud cluster show -g {resource_group} -n {name} wants detailedStatus Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-hardware-validation-failure",
    ),
    leads_to=("nexus.cluster_failed",),
    ask="az networkcloud baremetalmachine list -o table",
)
