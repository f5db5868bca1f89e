from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The datastore or the appliance VM has too little space for the image or the upgrade",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:Insufficient disk space on datastore|insufficient space on (?:the )?datastore|datastore .{0,80}?(?:is full|has (?:insufficient|not enough|no) (?:free )?(?:disk )?space)|No space left on device.{0,200}?(?:vmdk|datastore|ova)|(?:vmdk|datastore|/nfc/).{0,200}?(?:no space left|not enough (?:disk )?space))(?:\W{0,4}(?P<datastore>[\w.-]+))?",
            says="a datastore has too little space",
            sample="ImageProvisionError: The operation failed: Insufficient disk space on datastore 'ds-arc-01'.",
            near_miss="datastore 'ds-arc-01' has 900 GB of free space",
        ),
        Signature(
            pattern=r"(?i)(?:appliance|arc-?rb|resource bridge|upgrade).{0,200}?(?:requires?|needs?|at least) (?P<need>\d+) ?GB .{0,60}?(?:free|available)|(?:free|available) (?:disk )?space .{0,60}?(?:less than|below) (?P<want>35|200) ?GB(?P<datastore>)",
            says="the upgrade needs more free space",
            sample="Upgrade prerequisites: appliance upgrade requires 200 GB of free space on the datastore, 80 GB available",
            near_miss="appliance upgrade started",
            weight=TYPICAL,
        ),
    ),
    why="The template and the VM of the appliance need 200 GB on the datastore, and an upgrade builds a second VM beside the first (200 GB more on the datastore and 35 GB inside the VM). With less, upload, deployment or upgrade break off.",
    remedy=(
        Step(
            "See the free space of the datastores.",
            run=(
                "govc",
                "datastore.info",
            ),
            risk=Risk.READ,
            verify="Free wants 200 GB or more",
        ),
        Step(
            "Free space on the datastore (old templates, images, snapshots), or enlarge it.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Repeat the preparation or the upgrade.",
            run=(
                "az",
                "arcappliance",
                "prepare",
                "vmware",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/upgrade",
    ),
    leads_to=("arc.upgrade_failed",),
    ask="govc datastore.info <datastore>",
)
