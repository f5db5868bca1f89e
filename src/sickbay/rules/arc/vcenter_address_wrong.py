from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The given vCenter address is not a vCenter SDK endpoint (403 or 404 on /sdk)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)error getting the vsphere sdk client:? .{0,120}?/sdk[^A-Za-z]{0,4}: (?:403 Forbidden|404)|\bPOST \S{0,120}?/sdk[^A-Za-z0-9]{0,4}: (?:403 Forbidden|404 Not Found)",
            says="the address answers 403 or 404 instead of the vSphere SDK",
            sample='CreateConfigKvaCustomerError: error getting the vsphere sdk client: POST "/sdk": 403 Forbidden',
            near_miss='error getting the vsphere sdk client: Post "https://10.20.0.5/sdk": dial tcp 10.20.0.5:443: connectex: A connection attempt failed',
        ),
    ),
    why="Something answered on the given address, but not the vSphere SDK of vCenter: the address belongs to another host, or a proxy answers in its place with 403 Forbidden or 404 not found.",
    remedy=(
        Step(
            "See who answers on the address.",
            run=(
                "curl",
                "-kI",
                "https://<vcenter>/sdk",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Enter the address that the vSphere client uses, and put it on the no_proxy list.",
        ),
        Step(
            "Create the configuration files again.",
            run=(
                "az",
                "arcappliance",
                "createconfig",
                "vmware",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/quick-start-connect-vcenter-to-arc-using-script",
    ),
    ask="curl -kI https://<vcenter>/sdk",
)
