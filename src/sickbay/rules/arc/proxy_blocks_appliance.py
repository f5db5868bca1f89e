from sickbay.model.host import ApplianceVm
from sickbay.model.probe import PROXY_FAILURES, Result, Role, named
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(ApplianceVm)
def is_kept_in(vm: ApplianceVm, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    lost = [probe for probe in vm.tried(Role.URL) if probe.result in PROXY_FAILURES]
    if not lost:
        return Clear("no proxy keeps the appliance VM from the required URLs")
    first = lost[0]
    told = f" ({first.detail})" if first.detail else ""
    step = 5 if first.result == Result.PROXY_BLIND else 4
    return Match(
        f"step {step} of the six: from the appliance VM, through the proxy {first.via}, "
        f"{named(lost)} {first.result}{told}",
        facts={"proxy": first.via, "host": first.target},
        cites=(vm.cite("probes", first.says),),
        subject=vm.subject,
    )


RULE = Rule(
    title="The proxy of the appliance does not let it through: it refuses, wants credentials, or cannot resolve",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(is_kept_in,),
    why="The appliance VM asks for every required URL through the proxy of its configuration files. A proxy that does not answer it, answers 403 or 407, or whose own DNS server does not know the name, cuts it off: images are not pulled and Azure hears nothing, until the deployment ends in a KVA timeout.",
    remedy=(
        Step(
            "Ask the proxy from the network of the appliance.",
            run=("curl", "-v", "-x", "{proxy}", "https://{host}"),
            risk=Risk.READ,
            verify="any HTTP answer from {host} is good; 403 and 407 to CONNECT are answers of the proxy",
        ),
        Step(
            "Allow the required URLs on the proxy for the appliance VM IPs, with the credentials of the files or without, and let its DNS server resolve them."
        ),
        Step(
            "If the proxy in the files is wrong, delete the appliance, correct the files, and deploy again.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=("arc.kva_step_fails", "arc.kva_timeout", "arc.url_unreachable"),
    ask="sickbay diagnose --appliance <folder-of-the-files>",
)
