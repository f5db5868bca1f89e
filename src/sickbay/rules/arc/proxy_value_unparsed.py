from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The proxy settings given to the Arc agents cannot be parsed by Helm (comma or empty value, --proxy-skip-range)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)failed parsing --set(?:-\w+)? data",
            says="Helm cannot parse a value",
            sample='Unable to install helm release: Error: failed parsing --set data: key "168.63.129.16" has no value',
            near_miss="Unable to install helm release: Error: timed out waiting for the condition",
            weight=TYPICAL,
        ),
    ),
    why="az connectedk8s passes proxy addresses and the skip range to Helm with --set, where a comma separates keys. An old version of the extension that does not escape it, a blank or a trailing comma in --proxy-skip-range, or a password with special characters in the proxy's address makes the value unreadable.",
    remedy=(
        Step(
            "Bring the extension up to date.",
            run=(
                "az",
                "extension",
                "update",
                "--name",
                "connectedk8s",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Give the range without blanks and without a comma at its end; encode special characters of the password.",
            run=(
                "az",
                "connectedk8s",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--proxy-skip-range",
                "10.0.0.0/16,kubernetes.default.svc,.svc.cluster.local,.svc",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",),
    leads_to=("arc.connection_failed",),
    ask="az connectedk8s show -g {resource_group} -n {cluster}",
)
