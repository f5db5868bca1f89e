from sickbay.model.nexus import L3Network
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

_LONGEST_NAME = 30
_LONGEST_INTERFACE = 12


def _problem(network: L3Network) -> str:
    name, interface = network.name, network.interface_name or ""
    is_plain = name.replace("-", "a").replace("_", "a").isalnum() and name.isascii()
    if len(name) > _LONGEST_NAME:
        return f"the name {name} has {len(name)} characters, and {_LONGEST_NAME} are allowed"
    if not is_plain or not name[:1].isalnum() or not name[-1:].isalnum():
        return f"the name {name} may hold only letters, digits, - and _ between letters or digits"
    if len(interface) > _LONGEST_INTERFACE:
        return f"the interface name {interface} has more than {_LONGEST_INTERFACE} characters"
    return ""


@each(L3Network)
def name_is_refused(network: L3Network, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if network.is_succeeded or not network.name:
        return Clear(f"{network.name} was accepted") if network.is_succeeded else None
    problem = _problem(network)
    if not problem:
        return Clear(f"the names of {network.name} are valid")
    return Match(problem, facts={"problem": problem}, cites=(network.cite("name", network.name),))


RULE = Rule(
    title="The name of a Nexus network or of its interface is not valid",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        name_is_refused,
        Signature(
            pattern=r"(?i)(?:l[23]network\w*|trunkednetwork\w*|cloudservicesnetwork\w*|defaultcninetwork\w*)\b.{0,160}?(?P<problem>does not match (?:expected |the )?(?:pattern|regular expression)[^|]{0,60}|exceeds? (?:the )?max\w* length[^|]{0,40}|name is (?:invalid|not valid|too long))|\binterfaceName\b.{0,100}?(?:length|at most|must match|does not match|exceed|too long)",
            says="a name is not valid",
            sample="az networkcloud l3network create: l3NetworkName exceeds maximum length of 30 characters.",
            near_miss="Accepted: l3NetworkName l3-apps matches.",
            weight=TYPICAL,
        ),
    ),
    why="The name of an L3 network has 2 to 30 letters, digits, hyphens or underscores, and begins and ends with a letter or digit; the name of its interface inside machines has at most 12 characters.",
    remedy=(
        Step("Choose another name: {problem}."),
        Step(
            "Create the network again with it.",
            risk=Risk.SAFE,
            verify="az networkcloud l3network list wants provisioningState Succeeded for it",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/quickstarts-tenant-workload-prerequisites",
    ),
    leads_to=("nexus.network_failed",),
)
