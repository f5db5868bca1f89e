from sickbay.model.arc import POD_CIDR, SERVICE_CIDR, ApplianceInfra, ApplianceSettings
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import parse
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ApplianceInfra)
def overlaps_own_ranges(infra: ApplianceInfra, snapshot: Snapshot) -> Match | Clear | None:
    control_plane = infra.control_plane_address(snapshot)
    named = [("prefix", infra.prefix or ""), ("controlPlane", control_plane)]
    named += [("dnsServers", server) for server in infra.dns_servers or ()]
    settings = snapshot.find(kube(ApplianceSettings.kind, "", infra.name))
    files = [infra, settings] if isinstance(settings, ApplianceSettings) else [infra]
    named += [(host.setting, host.host) for file in files for host in file.hosts or ()]
    for setting, text in named:
        address = parse(text)
        for what, cidr in (("services", SERVICE_CIDR), ("pods", POD_CIDR)):
            own = parse(cidr)
            if address and own and address.overlaps(own):
                says = f"{text} ({setting}) overlaps with {cidr}, the range of the {what}"
                return Match(says, facts=infra.facts(snapshot), cites=(infra.cite(setting, text),))
    return Clear(f"no address of {infra.name} lies in {SERVICE_CIDR} or {POD_CIDR}")


RULE = Rule(
    title="An address of the appliance overlaps with the Kubernetes ranges (CIDR) that it keeps for itself",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        overlaps_own_ranges,
        Signature(
            pattern=r"\bInvalidOverlapWith(?:Service|Pod)CIDR\b|(?i:overlaps with (?:the )?(?:K8s Default (?:Service|Pod) CIDR|(?:Service|Pod) (?:CIDR )?subnet))",
            says="an address overlaps with a range of Kubernetes",
            sample="InvalidOverlapWithServiceCIDR: Network overlap validation failed: IP: 10.96.4.20 overlaps with K8s Default Service CIDR: 10.96.0.0/12. Please reconfigure the network to resolve this conflict.",
            near_miss="Network overlap validation passed: IP: 10.20.4.20 is outside the K8s Default Service CIDR",
        ),
    ),
    why="The appliance uses 10.244.0.0/16 for its pods and 10.96.0.0/12 for its services. A subnet, control plane, DNS, proxy or vCenter address inside them cannot be reached from the appliance (InvalidOverlapWithServiceCIDR, InvalidOverlapWithPodCIDR).",
    remedy=(
        Step(
            "First deployment: choose a subnet outside 10.244.0.0/16 and 10.96.0.0/12. Existing bridge: recover it with other addresses.",
        ),
        Step(
            "Delete what the failed attempt left, correct the configuration files, and deploy again.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=(
        "arc.appliance_offline",
        "arc.kva_timeout",
        "arc.appliance_unreachable",
        "arc.upgrade_failed",
    ),
)
