from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Cable validation cannot store its report: the fabric has no valid SAS URL",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)HttpResponseError: Operation returned an invalid status '?OK'?",
            says="a long operation of the fabric ended without a result",
            sample="azure.core.exceptions.HttpResponseError: Operation returned an invalid status 'OK'",
            near_miss="azure.core.exceptions.HttpResponseError: Operation returned an invalid status 'Forbidden'",
            weight=TYPICAL,
        ),
    ),
    why="Validation of the cabling writes its report to a storage account. When the fabric has no SAS URL for it, or one that has expired, the command ends with an invalid status OK instead of a report.",
    remedy=(
        Step(
            "Repeat the validation with its trace, and read the operation that it names.",
            run=(
                "az",
                "networkfabric",
                "fabric",
                "validate-configuration",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{name}",
                "--validate-action",
                "Cabling",
                "--no-wait",
                "--debug",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring your own storage account for the fabric, or have support set a new SAS URL, then validate again.",
            risk=Risk.SAFE,
            verify="the operation wants a reportUrl",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/how-to-validate-cables",),
)
