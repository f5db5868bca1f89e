from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The log query (KQL) of an alert or rule is not valid: a table, column or operator cannot be resolved",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)query validation failed|(?:Failed to resolve (?:column|table|scalar|entity|function)[\w ,]{0,40}named '(?P<named>[^']{1,120}))|(?:query|transformKql).{0,80}?(?:syntax error|semantic error|could not be parsed|is not valid)|\bInvalidTransformQuery\b",
            says="the query cannot be evaluated[: {named}]",
            sample="BadRequest: The query validation failed: 'where' operator: Failed to resolve column or scalar expression named 'Lvl'.",
            near_miss="The query was validated.",
            unless=r"(?i)promql|sql syntax|mysql|pq:",
        ),
    ),
    why="Scheduled query rules and data collection rules hold a KQL query, which Azure runs against the schema of the workspace when the rule is written. A misspelt table or column, a table that has no data yet in a new workspace, or a function that the workspace lacks makes the rule invalid.",
    remedy=(
        Step(
            "Run the query in the workspace.",
            run=(
                "az",
                "monitor",
                "log-analytics",
                "query",
                "-w",
                "<workspace-id>",
                "--analytics-query",
                "<query>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the query, or create the table (or send first data) before the rule; skipQueryValidation leaves the test out.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-troubleshoot-log",),
    leads_to=(
        "aks.parameter_invalid",
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
        "aso.referenced_resource_missing",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
