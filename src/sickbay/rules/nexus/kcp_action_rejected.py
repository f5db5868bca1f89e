from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A disruptive action on a control-plane machine of a Nexus site is refused while the control plane is not whole",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)\bdisruptive (?:action|command|operation)s?\b.{0,200}?(?:control ?-?plane|\bKCP\b).{0,200}?(?:reject|refus|not allowed|cannot|in progress|already running|not available)|(?:reject|refus|not allowed|cannot (?:be )?(?:run|start|perform)).{0,160}?\bdisruptive (?:action|command|operation)\b.{0,200}?(?:control ?-?plane|\bKCP\b)|\b(?:replace|reimage|restart|power ?-?off|cordon)\b.{0,60}?\b(?:rejected|refused|not allowed)\b.{0,160}?(?:control ?-?plane (?:node|machine|quorum)|\bKCP\b)",
            says="the action would take a second control-plane machine away",
            sample="The reimage request was rejected: another disruptive action is already running against a Kubernetes Control Plane (KCP) node",
            near_miss="The disruptive action on compute node rack1compute02 was accepted",
            weight=TYPICAL,
        ),
    ),
    why="The control plane of a site needs most of its machines. Power-off, restart, reimage, replace and cordon with evacuation are therefore taken for one control-plane machine at a time, and only while all others are up.",
    remedy=(
        Step(
            "See the control-plane machines and what runs on them.",
            run=("az", "networkcloud", "baremetalmachine", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Wait until the other action has ended and every control-plane machine is ready, then repeat the action; talk to Microsoft support before you act on a control-plane machine.",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-baremetal-functions",),
    ask="az networkcloud baremetalmachine list -o table",
)
