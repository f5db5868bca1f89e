from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An action on a bare-metal machine of a Nexus site failed (cordon, restart, reimage, replace, power)",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:bare ?metal ?machines?|BMM|rack\d+\w{2,30})\b.{0,120}?\b(?:cordon|uncordon|restart|reimage|replace|power-?off|evacuat\w*)\b.{0,100}?(?:failed|timed out|\berror\b|could not)|\b(?:cordon|uncordon|restart|reimage|replace|power-?off|evacuat\w*)\b.{0,80}?(?:failed|timed out|could not)\b.{0,120}?\b(?:bare ?metal ?machines?|BMM|rack\d+\w{2,30})\b|bareMetalMachines/(?:restart|reimage|replace|powerOff|cordon)\b.{0,300}?\bstatus\W{1,6}Failed",
            says="an action failed",
            sample="Cordon with evacuate failed for rack1compute02: 3 virtual machines could not be stopped in time",
            near_miss="Cordon with evacuate done for rack1compute02",
            unless=r"(?i)\b(?:no|0|without) errors?\b|\bnone failed\b",
            weight=TYPICAL,
        ),
    ),
    why="Actions on a bare-metal machine run in steps - drain, power, hardware validation, provisioning, cloud-init - each with a limit of its own. Workloads that cannot be moved, a PXE or BMC fault or a machine that does not come back end one of them as Failed; the state of the action names the step.",
    remedy=(
        Step(
            "See the steps of the action.",
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
                "actionStates",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what the failed step names, then run the action again; restart goes before reimage, reimage before replace.",
            risk=Risk.DISRUPTIVE,
            verify="az networkcloud baremetalmachine show -g {resource_group} -n {name} wants readyState True and actionStates Completed",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-reboot-reimage-replace",
        "https://learn.microsoft.com/azure/operator-nexus/howto-baremetal-functions",
    ),
    ask="az networkcloud baremetalmachine show -g {resource_group} -n {name} --query actionStates",
    vague=True,
)
