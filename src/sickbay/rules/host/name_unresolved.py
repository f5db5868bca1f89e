from sickbay.model.host import ManagementMachine
from sickbay.model.probe import DNS_FAILURES, Role, named
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ManagementMachine)
def external_names_fail(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    asked = [probe for probe in machine.probes if probe.role == Role.EXTERNAL and not probe.via]
    tried = [*asked, *machine.tried(Role.URL)]
    lost = [probe for probe in tried if probe.result in DNS_FAILURES]
    if not lost:
        return Clear("this machine resolves the names of Azure")
    return Match(
        f"this machine does not resolve {named(lost)}: {lost[0].detail or lost[0].result}",
        facts={"host": lost[0].target},
        cites=(machine.cite("probes", lost[0].says),),
        subject=machine.subject,
    )


RULE = Rule(
    title="This machine cannot resolve Azure's names: its own DNS fails",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        external_names_fail,
        Signature(
            pattern=r"(?i)Failed to resolve '(?P<host>[\w-]+(?:\.[\w-]+)+)'|HTTPSConnectionPool\(host='(?P<target>[\w.-]*(?:azure|microsoft|windows\.net|msauth|live\.com)[\w.-]*)'.{0,300}?(?:getaddrinfo failed|Name or service not known|Temporary failure in name resolution|nodename nor servname)|NameResolutionError|The remote name could not be resolved: '(?P<remote>[\w.-]+)'|GetLatestHelmPackagePath.{0,300}?lookup (?P<endpoint>[\w.-]+):? (?:on \S+ )?no such host|lookup (?P<plane>[\w-]+\.dp\.kubernetesconfiguration\.azure\.com): no such host",
            says="a name[, {host},] does not resolve on this machine",
            sample="HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Max retries exceeded with url: / (Caused by NameResolutionError(\": Failed to resolve 'login.microsoftonline.com' ([Errno 11001] getaddrinfo failed)\"))",
            near_miss="HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Read timed out.",
            # The name of an API server has reasons of its own.
            unless=r"(?i)\.azmk8s\.io\b",
        ),
    ),
    why="The Azure CLI on the management machine cannot resolve management.azure.com, login.microsoftonline.com or a registry: the DNS servers of this machine are down, or they do not forward external names.",
    remedy=(
        Step(
            "Ask for the name.",
            run=(
                "nslookup",
                "{host}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Repair the DNS servers of this machine, or let the proxy resolve (HTTPS_PROXY).",
            verify="nslookup {host} answers",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting",),
    leads_to=("arc.kva_step_fails", "network.dns_name_unknown", "network.name_resolution_fails"),
    ask="nslookup {host}",
)
