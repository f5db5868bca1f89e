from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The upload to the datastore broke off: the management machine cannot reach the ESXi host",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:/nfc/|disk-\d+\.vmdk)[^ ]{0,200}? ?.{0,40}?(?:Service Unavailable|connectex|use of closed network connection|i/o timeout|connection refused|wsasend|wsarecv|broken pipe)",
            says="the upload of the disk to the ESXi host broke off",
            sample='ImageProvisionError: Post "https://vcenter-server.com/nfc/52b-bcbc707ce02c/disk-0.vmdk": Service Unavailable',
            near_miss='Post "https://esx.lab.local/52b-bcbc707ce02c/disk-0.vmdk": dial tcp: lookup esx.lab.local: no such host',
        ),
    ),
    why="The image goes from the management machine straight to the ESXi host behind the datastore (https, /nfc/…/disk-0.vmdk). The connection to that host was never made or was lost during the upload.",
    remedy=(
        Step(
            "Reach every ESXi host behind the datastore on 443 from the management machine.",
            run=(
                "Test-NetConnection",
                "<esxi-host>",
                "-Port",
                "443",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Open the way, then repeat the preparation.",
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
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/quick-start-connect-vcenter-to-arc-using-script",
    ),
    ask="Test-NetConnection <esxi-host> -Port 443",
)
