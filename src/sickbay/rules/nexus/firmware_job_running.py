from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A firmware update still runs on the BMC (iDRAC) of a bare-metal machine, so reimage or replace fails",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)Job Name=\W{0,2}Firmware (?:Update|Rollback)\b[^\[]{0,60}?Status=\W{0,2}(?:Downloading|Downloaded|Running|Scheduled|Scheduling|New|Waiting|Ready For Execution|Pending\w*)|firmware (?:update|upgrade) (?:job )?(?:is |are )?(?:still )?(?:running|in progress|pending)\b.{0,120}?(?:BMC|iDRAC|bare ?metal|BMM|reimage|replace)",
            says="a firmware job is not done",
            sample="[Job ID=JID_833540920066] Job Name=Firmware Update: iDRAC Status=Downloading Message= [RED001: Job in progress.]",
            near_miss="[Job ID=JID_833540920066] Job Name=Firmware Update: iDRAC Status=Completed",
            weight=TYPICAL,
        ),
    ),
    why="The iDRAC works through a job queue. An action that restarts the server while a firmware job is under way breaks it off or fails itself, and leaves the machine in an inconsistent state.",
    remedy=(
        Step(
            "See the queue.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "run-read-command",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--limit-time-seconds",
                "60",
                "--commands",
                "[{command:'nc-toolbox nc-toolbox-runread racadm jobqueue view'}]",
                "--output-directory",
                ".",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait until the job is Completed, then start the action again.",
            risk=Risk.SAFE,
            verify="the queue wants Status=Completed for every job",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-bare-metal-best-practices",),
    ask="az networkcloud baremetalmachine show -g {resource_group} -n {name} --query actionStates",
)
