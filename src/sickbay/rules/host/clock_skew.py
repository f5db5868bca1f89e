from sickbay.model.host import ApplianceVm, ManagementMachine
from sickbay.model.probe import Vantage
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)

_MOST_SECONDS = 300
_MOST_BETWEEN_SECONDS = 1800


@each(ManagementMachine)
def machine_is_off(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judged(machine, _MOST_SECONDS)


@each(ApplianceVm)
def appliance_is_off(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judged(vm, _MOST_BETWEEN_SECONDS)


def _judged(place: Vantage, most: int) -> Match | Clear | None:
    ahead = place.known(place.clock_ahead_seconds, "the clock")
    where = f"the clock of the {place.place}"
    if abs(ahead) <= most:
        return Clear(f"{where} is within {most // 60} minutes of {place.clock_compared_to}")
    word = "ahead of" if ahead > 0 else "behind"
    return Match(
        f"{where} is {abs(ahead) / 60:.0f} minutes {word} that of {place.clock_compared_to}",
        cites=(place.cite("clockAheadSeconds", ahead),),
        subject=place.subject,
    )


RULE = Rule(
    title="The clocks differ: a machine's time is not in sync with the others (NTP)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.IDENTITY,
    ),
    detect=(
        machine_is_off,
        appliance_is_off,
        Signature(
            pattern=r"\bClockSkewError\b|(?i:too far (?:behind in the past|ahead in the future) compared to)|\bAADSTS500133\b|(?i:\bRequestTimeTooSkewed\b)",
            says="the clocks are too far apart",
            sample="ClockSkewError: The time in Appliance VM is too far behind in the past compared to Management Machine : Time in Appliance VM is 2025-02-24T10:59:59Z, time in Management Machine is 2025-02-24T16:49:13Z. Max allowed difference is 30m0s.",
            near_miss="The time in Appliance VM and Management Machine is in sync",
        ),
        Signature(
            pattern=r"(?i)certificate (?:has expired or )?(?:is not|isn.t) yet valid:? current time (?P<now>\S+) is before (?P<bound>[\w:-]+)|token is not (?:yet valid|valid yet)|token used before issued|before the nbf \(not before\) time|\bnbf\b.{0,60}?(?:in the future|not yet valid)",
            says="something is not yet valid by this machine's clock",
            sample="x509: certificate has expired or is not yet valid: current time 2022-01-18T11:35:56Z is before 2023-09-07T19:13:21Z",
            near_miss="x509: certificate has expired or is not yet valid: current time 2026-01-18T11:35:56Z is after 2025-09-07T19:13:21Z",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"Server: n/a \((?P<now>[\w.-]+)\) Poll interval: .{0,80}?Packet count: 0\b|(?i:System clock synchronized: no\b)(?P<bound>)",
            says="the time server {now} never answered",
            sample="Server: n/a (time.windows.com) Poll interval: 0 (min: 32s; max 34min 8s) Packet count: 0",
            near_miss="Server: 10.0.0.4 (ntp.contoso.com) Poll interval: 32s (min: 32s; max 34min 8s) Packet count: 12",
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
        "arc.kva_timeout",
        "arc.kva_step_fails",
        "kubernetes.certificate_expired",
        "arc.url_unreachable",
    ),
    ask="timedatectl",
)
