from collections.abc import Iterator

from sickbay.model.arc import ApplianceInfra
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import Prefix, contains, is_same, parse
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

_LONGEST_PREFIX = 29


@each(ApplianceInfra)
def does_not_fit(infra: ApplianceInfra, snapshot: Snapshot) -> Match | Clear | None:
    subnet = parse(infra.prefix or "")
    if subnet is None or not infra.prefix:
        return None
    control_plane = infra.control_plane_address(snapshot)
    problem = next(_problems(infra, subnet, control_plane), "")
    if not problem:
        return Clear(f"the addresses of {infra.name} lie in {infra.prefix} and differ")
    facts = {**infra.facts(snapshot), "problem": problem}
    return Match(problem, facts=facts, cites=(infra.cite("prefix", infra.prefix),))


def _problems(infra: ApplianceInfra, subnet: Prefix, control_plane: str) -> Iterator[str]:
    """What is wrong with the plan, gravest first."""
    named = [
        ("the control plane IP", control_plane),
        ("the appliance VM IP", infra.pool_start or ""),
        ("the second appliance VM IP", infra.pool_end or ""),
        ("the gateway", infra.gateway or ""),
    ]
    known = [(what, address) for what, address in named if parse(address)]
    for what, address in known:
        if not contains(infra.prefix or "", address):
            yield f"{what} {address} lies outside {infra.prefix}"
    for number, (what, address) in enumerate(known):
        for other, same in known[:number]:
            if is_same(address, same) and not (what.startswith("the second") and same == address):
                yield f"{what} and {other} are both {address}"
    yield from _pool_problems(infra, control_plane)
    if subnet.length > _LONGEST_PREFIX:
        yield f"the subnet {infra.prefix} is smaller than /29"


def _pool_problems(infra: ApplianceInfra, control_plane: str) -> Iterator[str]:
    start, end = parse(infra.pool_start or ""), parse(infra.pool_end or "")
    plane = parse(control_plane)
    if not start or not end:
        return
    if plane and start.first <= plane.first <= end.first:
        yield f"the control plane IP {control_plane} lies in the pool of the VM"
    if end.first <= start.first:
        yield f"the pool of the VM ends at {infra.pool_end}, which leaves no second address"


RULE = Rule(
    title="The address plan of the appliance does not fit its subnet: control plane, VM IPs, gateway",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        does_not_fit,
        Signature(
            pattern=r"(?i)control plane (?:IP|endpoint)(?: address)? (?:(?P<taken>[\d.]+) )?is (?:already )?in use|controlPlaneEndpoint .{0,80}?(?:is|already) in use|IP (?:address )?(?P<address>[\d.]+) is already in use.{0,60}?(?:appliance|control plane)",
            says="the control plane IP is in use by something else",
            sample="Error: control plane IP is in use",
            near_miss="control plane IP is free",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?P<part>control ?plane ?(?:IP|endpoint)?|k8s ?node ?IP ?pool ?(?:start|end)|VM IP)\b(?: address)?:? '?(?P<placed>\d{1,3}(?:\.\d{1,3}){3})'? (?:is not|isn't|must be|does not (?:lie|belong)) (?:with)?in (?:the )?(?:IP ?address ?prefix|ipAddressPrefix|prefix|subnet|range)\b(?: (?:of )?'?(?P<prefix>\d[\d./]{6,20}))?(?P<problem>)",
            says="the {part} {placed} does not lie in the prefix[ {prefix}]",
            sample="InvalidEntityError Error: control plane endpoint 10.60.1.9 is not in the ip address prefix 10.60.0.0/24",
            near_miss="control plane endpoint 10.60.0.9 is in the ip address prefix 10.60.0.0/24",
            unless=r"(?i)AksHci|aksarc|hybridaks|provisionedCluster|logical ?network",
            weight=TYPICAL,
        ),
    ),
    why="Gateway, control plane IP and both appliance VM IPs (k8snodeippoolstart and k8snodeippoolend, the second one for upgrades) must be different addresses of one subnet of /29 or larger, and the control plane must lie outside the pool of the VM. An address elsewhere, or used twice, is never reached, and the deployment ends in a KVA timeout.",
    remedy=(
        Step(
            "Correct ipaddressprefix, gateway, k8snodeippoolstart, k8snodeippoolend and controlPlaneEndpoint[: {problem}].",
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
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=(
        "arc.appliance_offline",
        "arc.kva_timeout",
        "arc.appliance_unreachable",
    ),
)
