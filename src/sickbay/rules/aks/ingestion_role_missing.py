from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An identity may not send data to a data collection rule (Monitoring Metrics Publisher is missing)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)does not have access to ingest data for the data collection rule(?: with immutable id '?(?P<rule>dcr-\w+))?",
            says="a data collection rule[ {rule}] refuses what an identity sends",
            sample="The authentication token provided does not have access to ingest data for the data collection rule with immutable Id 'dcr-0a1b'.",
            near_miss="The authentication token provided has access to ingest data for the data collection rule",
        ),
    ),
    why="Metrics and logs are sent to Azure Monitor through a data collection rule, and whoever sends needs the role Monitoring Metrics Publisher on that rule. A new role assignment takes up to half an hour to work.",
    remedy=(
        Step(
            "Grant the role to the identity that sends (the kubelet identity for remote write of Prometheus).",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "<principal-id>",
                "--assignee-principal-type",
                "ServicePrincipal",
                "--role",
                "Monitoring Metrics Publisher",
                "--scope",
                "<data-collection-rule-id>",
            ),
            risk=Risk.SAFE,
            verify="az role assignment list --scope of the rule wants the identity",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-monitor/containers/prometheus-remote-write-managed-identity",
    ),
    ask="az role assignment list --all --assignee <principal-id> -o json",
)
