from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="SQL vulnerability assessment is refused because Advanced Data Security is disabled",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bVulnerabilityAssessmentADSIsDisabled\b|Advanced Data Security should be enabled",
            says="Advanced Data Security is not enabled on the server",
            sample="VulnerabilityAssessmentADSIsDisabled: Advanced Data Security should be enabled in order to use Vulnerability Assessment.",
            near_miss="Advanced Data Security is enabled on the server",
        ),
    ),
    why="A vulnerability assessment of a SQL server needs Microsoft Defender for SQL (Advanced Data Security) on the server; with it disabled Azure answers VulnerabilityAssessmentADSIsDisabled. In ASO the security alert policy must be Ready before the assessment.",
    remedy=(
        Step(
            "Enable Microsoft Defender for SQL on the server.",
            run=(
                "az",
                "sql",
                "server",
                "advanced-threat-protection-setting",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--state",
                "Enabled",
            ),
            risk=Risk.SAFE,
            verify="az sql server advanced-threat-protection-setting show wants Enabled; then ASO's next attempt succeeds",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-sql/database/azure-defender-for-sql",),
    leads_to=("aso.not_ready",),
    ask="az sql server advanced-threat-protection-setting show -g {resource_group} -n {name}",
)
