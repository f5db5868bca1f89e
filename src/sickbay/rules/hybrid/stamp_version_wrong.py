from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The version that Azure Local has on record (stamp, services) is wrong, so it starts no update",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)Got (?:the )?(?P<what>services|stamp) version \[(?P<version>[\d.]+)\]\. We cannot start|AzStackHci_ValidatedRecipe_(?:Services|Stamp)Version\b.{0,900}?Status\W{1,6}(?:FAILURE|1)\b|(?:services|stamp) version is not supported in this pnu",
            says="[the {what} version on record is {version}][a check refuses the recorded version]",
            sample="Checking version of Azure Stack HCI stamp on host [NODE01]. Got services version [10.2508.0.21]. We cannot start upgrade.",
            near_miss="Checking version of Azure Stack HCI stamp on host [NODE01]. Got services version [10.2509.0.3]. It is supported.",
            weight=TYPICAL,
        ),
    ),
    why="The orchestrator keeps two versions: the stamp version, by which updates are offered, and that of its services. An upgrade from 22H2 or a release in between can write one of them too high, and the validated recipe then refuses every update because the two do not belong together.",
    remedy=(
        Step(
            "Read both versions.",
            run=("powershell", "-Command", "Get-StampInformation"),
            risk=Risk.READ,
        ),
        Step(
            "Set the stamp version back to the release that is really installed, with the script of the known issue (aka.ms/azhci-tsg-stampversion).",
            risk=Risk.DISRUPTIVE,
            verify="(Get-SolutionUpdateEnvironment).CurrentVersion wants the installed release",
        ),
        Step("Start the update that is offered then."),
    ),
    docs=(
        "https://aka.ms/azhci-tsg-stampversion",
        "https://learn.microsoft.com/azure/azure-local/update/update-troubleshooting-23h2",
    ),
    ask="powershell -Command Get-StampInformation",
    leads_to=(
        "hybrid.deployment_validation",
        "hybrid.update_readiness",
        "hybrid.update_step_failed",
    ),
)
