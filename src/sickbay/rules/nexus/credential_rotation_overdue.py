from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The rotation of BMC, console or storage credentials of a Nexus machine failed or is overdue",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:secret ?Rotation ?Status|(?:credential|secret|password) rotation)\b.{0,160}?(?:expired|overdue|failed|not rotated|error)|(?:BMC|iDRAC|console|storage ?appliance)\b.{0,80}?(?:credential|password) (?:rotation )?(?:is |has )?(?:overdue|expired)",
            says="credentials were not rotated",
            sample="BareMetalMachine secretRotationStatus: Password expired, BMC administrator credential rotation overdue",
            near_miss="BareMetalMachine secretRotationStatus: rotated",
            unless=r"(?i)key ?-?vault\b.{0,160}?(?:denied|denies|forbidden)",
            weight=TYPICAL,
        ),
    ),
    why="The platform rotates the passwords of iDRAC, consoles and storage arrays on a schedule and stores them in the Key Vault of the cluster. It stays out when the vault cannot be written, the machine is off or its BMC does not answer; the old password expires then.",
    remedy=(
        Step(
            "See the state of the rotation.",
            run=(
                "az",
                "networkcloud",
                "baremetalmachine",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "secretRotationStatus",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the identity of the cluster access to the vault and bring the machine or its BMC back; the rotation is tried again by itself.",
            risk=Risk.SAFE,
            verify="secretRotationStatus wants a lastRotationTime within the rotation period",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/concepts-baseboard-management-controller-credential-rotation",
        "https://learn.microsoft.com/azure/operator-nexus/how-to-credential-manager-key-vault",
    ),
    ask="az networkcloud baremetalmachine show -g {resource_group} -n {name} --query secretRotationStatus",
)
