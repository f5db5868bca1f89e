from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Users of a Nexus key set cannot sign in: the set is expired, or users, group or jump host are not valid",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:BareMetalMachine|Bmc) ?-?KeySets?\b.{0,300}?(?:\b(?:Some|All)Invalid\b|invalid|expired|not a member|is not in the|not (?:found|valid|validated|authori[sz]ed)|expiration must|Permission denied)|detailedStatus\W{1,6}(?:Some|All)Invalid\b|Permission denied \(publickey\b.{0,200}?key ?sets?(?P<cluster>)",
            says="the key set or a user of it is not valid",
            sample="BareMetalMachineKeySet ops: user jdoe status Invalid, user principal name is not a member of the Entra group",
            near_miss="BareMetalMachineKeySet ops: detailedStatus AllActive",
            weight=TYPICAL,
        ),
    ),
    why="SSH and BMC access to bare-metal machines is given by BareMetalMachineKeySets and BmcKeySets: each user needs a public key and a user principal name that is a member of the Entra group of the set, comes from an allowed jump host, and the set must not have expired (at most one year). Others are shown as Invalid and are refused.",
    remedy=(
        Step(
            "See the status of set and users.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "baremetalmachinekeyset",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the user to the Entra group, correct the principal name, extend the expiration or add the address of the jump host, with an update of the set.",
            risk=Risk.SAFE,
            verify="the list wants detailedStatus AllActive",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-baremetal-bmm-ssh",
        "https://learn.microsoft.com/azure/operator-nexus/howto-baremetal-bmc-ssh",
    ),
    ask="az networkcloud cluster baremetalmachinekeyset list -g {resource_group} --cluster-name {cluster}",
)
