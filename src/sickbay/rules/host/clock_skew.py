from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The clocks differ: a machine's time is not in sync with the others (NTP)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"\bClockSkewError\b|(?i:too far (?:behind in the past|ahead in the future) compared to)|\bAADSTS(?:500133|700024)\b|(?i:\bRequestTimeTooSkewed\b)",
            says="the clocks are too far apart",
            sample="ClockSkewError: The time in Appliance VM is too far behind in the past compared to Management Machine : Time in Appliance VM is 2025-02-24T10:59:59Z, time in Management Machine is 2025-02-24T16:49:13Z. Max allowed difference is 30m0s.",
            near_miss="The time in Appliance VM and Management Machine is in sync",
        ),
        Signature(
            pattern=r"(?i)certificate (?:has expired or )?(?:is not|isn.t) yet valid:? current time (?P<now>\S+) is before (?P<bound>[\w:-]+)|token is not (?:yet valid|valid yet)|\bnbf\b.{0,60}?(?:in the future|not yet valid)",
            says="something is not yet valid by this machine's clock",
            sample="x509: certificate has expired or is not yet valid: current time 2022-01-18T11:35:56Z is before 2023-09-07T19:13:21Z",
            near_miss="x509: certificate has expired or is not yet valid: current time 2026-01-18T11:35:56Z is after 2025-09-07T19:13:21Z",
            weight=TYPICAL,
        ),
    ),
    why="Certificates and tokens are valid between two times. A machine whose clock is behind or ahead sees valid ones as not yet valid or expired: ClockSkewError between appliance VM and management machine (30 minutes at most), `certificate has expired or is not yet valid … is before`, token not yet valid. NTP on hosts and machines mends it.",
    remedy=(
        Step(
            "Compare the time of the machines with an NTP server.",
            run=(
                "timedatectl",
                "timesync-status",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enable NTP on the hypervisor hosts, the management machine and the nodes.",
            run=(
                "sudo",
                "timedatectl",
                "set-ntp",
                "true",
            ),
            risk=Risk.SAFE,
            verify="timedatectl wants System clock synchronized: yes",
        ),
        Step(
            "Repeat the operation.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
    leads_to=(
        "kubernetes.certificate_expired",
        "arc.url_unreachable",
    ),
    ask="timedatectl",
)
