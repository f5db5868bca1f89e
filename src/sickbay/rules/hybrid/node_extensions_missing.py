from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Nodes of Azure Local lack the Arc extensions that the deployment needs, or have them in another version",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Arc extensions installed on Arc Machine (?P<resource>/\S+) are .{0,200}?while required list of mandatory arc extensions",
            says="mandatory extensions are not installed",
            sample="Arc extensions installed on Arc Machine /subscriptions/0b1f6471-1bf0-4dda-aec3-111122223333/resourceGroups/hci-rg/providers/Microsoft.HybridCompute/machines/host1 are  while required list of mandatory arc extensions are TelemetryAndDiagnostics, DeviceManagementExtension, LcmController",
            near_miss="All mandatory arc extensions are installed on the Arc Machine",
        ),
        Signature(
            pattern=r"(?i)Mandatory extension\b.{0,120}?(?:Failed|missing|not installed|is not equal to required version)|\bAzureEdge(?:LifecycleManager|DeviceManagement|TelemetryAndDiagnostics|RemoteSupport)\b.{0,160}?(?:Failed|not installed|missing|timed out)(?P<resource>)",
            says="an Arc extension of a node failed",
            sample="Mandatory extension AzureEdgeLifecycleManager on HCI-N1 is in Failed state",
            near_miss="Mandatory extension AzureEdgeLifecycleManager on HCI-N1 is in Succeeded state",
        ),
        Signature(
            pattern=r"(?i)Extension failed during enable\b.{0,200}?Device initialization is in progress|Enable command timed out\b.{0,400}?Install-LCMController(?P<resource>)",
            says="the lifecycle extension was not set up in time",
            sample="Extension failed during enable. Enable command timed out. Extension Message: Device initialization is in progress.",
            near_miss="Extension enabled. Extension Message: Device initialization is done.",
            weight=TYPICAL,
        ),
    ),
    why="Every node needs the extensions for telemetry, device management, lifecycle and remote support before a cluster is deployed. Their installation has not finished or has failed, or an extension was updated by itself to a version that this release does not take.",
    remedy=(
        Step(
            "See what is installed.",
            run=(
                "az",
                "connectedmachine",
                "extension",
                "list",
                "-g",
                "{resource_group}",
                "--machine-name",
                "<node>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait until all are Succeeded, or remove and install a failed one, then validate again. One that times out mostly cannot reach crl3.digicert.com, crl4.digicert.com or ocsp.digicert.com on port 80.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/deploy/deployment-arc-register-server-permissions",
    ),
)
