from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A network intent (Network ATC) of an Azure Local machine is not in force",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.NODES,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bIntent (?P<intent>[\w()-]{1,80}) on host (?P<host>[\w.-]{1,80}) in a failed state",
            says="intent {intent} failed on {host}",
            sample="Intent ManagementComputeIntent on host NODE1 in a failed state. ConfigurationStatus: Failed ProvisioningStatus: Error",
            near_miss="Intent ManagementComputeIntent on host NODE1: ConfigurationStatus: Success ProvisioningStatus: Completed",
        ),
        Signature(
            pattern=r"(?i)\b(?:IntentName|NetIntent\w*|NetworkIntent)\b.{0,300}?\bConfigurationStatus\W{1,6}(?:Failed|Retrying)\b|\bnetwork intent\b.{0,120}?\b(?:Configuration|Provisioning)Status\W{1,6}(?:Failed|Retrying|Error)\b|Test_Network_(?:Cluster|AddNode)_\w*Intent\w*.{0,999}?Status\W{1,6}(?:FAILURE|CRITICAL)\b",
            says="an intent is not applied",
            sample="IntentName : converged Host : node2 IsComputeIntentSet : True ConfigurationStatus : Failed ProvisioningStatus : Completed Error : PhysicalAdapterNotFound",
            near_miss="IntentName : converged Host : node2 IsComputeIntentSet : True ConfigurationStatus : Success ProvisioningStatus : Completed",
            weight=TYPICAL,
        ),
    ),
    why="Network ATC turns an intent into switches, VLANs and RDMA settings of the adapters, on every machine alike, and mends drift. An adapter that is down, missing or of another driver, a switch that was made by hand, or a cable in the wrong port leaves the intent Failed, and updates and the adding of a machine are blocked.",
    remedy=(
        Step(
            "See which intent failed where, and the error that it gives.",
            run=(
                "powershell",
                "-Command",
                "Get-NetIntentStatus | Format-List Name,Host,ConfigurationStatus,ProvisioningStatus,Error",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Compare the adapters of the machines: names, state, link speed and driver.",
            run=(
                "powershell",
                "-Command",
                "Get-NetAdapter | Format-Table Name,Status,LinkSpeed,DriverVersion",
            ),
            risk=Risk.READ,
        ),
        Step(
            "After mending it, let the intent be applied again.",
            run=(
                "powershell",
                "-Command",
                "Set-NetIntentRetryState -Name <intent> -NodeName <machine>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-NetIntentStatus wants ConfigurationStatus Success and ProvisioningStatus Completed",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/windows-server/networking/network-atc/manage-network-atc",
        "https://learn.microsoft.com/azure/azure-local/concepts/network-atc-overview",
    ),
    leads_to=(
        "hybrid.network_validation",
        "hybrid.deployment_validation",
        "hybrid.update_readiness",
        "hybrid.update_step_failed",
    ),
    ask="powershell -Command Get-NetIntentStatus",
)
