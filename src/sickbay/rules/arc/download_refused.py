from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A proxy or firewall answers 403 or 404 in place of the image servers",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)ImageProvisionError.{0,120}?(?P<code>403 Forbidden|404 (?:Site )?Not Found)",
            says="the download of the image was answered with {code}",
            sample='UploadError: Pre-deployment validation of your download/upload connectivity was not successful. { "code": "ImageProvisionError", "message": "403 Forbidden" }',
            near_miss="ImageProvisionError: Service Unavailable",
        ),
    ),
    why="Prepare downloads the appliance image from Microsoft. The answer `403 Forbidden` or `404 Site Not Found` inside ImageProvisionError comes from a proxy or a firewall that does not let the download through.",
    remedy=(
        Step(
            "Allow the download hosts of the allowlist for the management machine, or put them on its no_proxy list.",
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
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
)
