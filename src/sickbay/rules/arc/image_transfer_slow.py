from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The appliance image could not be downloaded or uploaded in time: network, proxy or storage is slow",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Timeout error occurred during download and preparation of appliance image|\bPrepareKvaTimeoutError\b|Appliance Prepare timed out",
            says="the image was not moved in time",
            sample="ErrorCode: ValidateKvaError, Error: Timeout error occurred during download and preparation of appliance image to the on-premises fabric storage.",
            near_miss="Download and preparation of the appliance image succeeded",
        ),
    ),
    why="Prepare moves an image of several gigabytes from Microsoft to the management machine and on to the datastore. Slow lines, a proxy that limits speed or slow storage make it run out of time (PrepareKvaTimeoutError: Appliance Prepare timed out).",
    remedy=(
        Step(
            "Run the deployment from a machine near the datastore, with at least 100 Mbps both ways; take the proxy out of the way of the download.",
        ),
        Step(
            "Repeat the preparation.",
            run=(
                "az",
                "arcappliance",
                "prepare",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
)
