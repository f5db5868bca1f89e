from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A virtual network peering cannot be made or synchronised (other side missing or disconnected)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)\"?peeringState\"? ?: ?\"?(?:Disconnected|Initiated)\b|(?:True|False) (?:True|False) \S{1,80} (?:Disconnected|Initiated) (?:\w*NotInSync|FullyInSync|Succeeded|Updating|Failed)\b|\bRemoteVnetNotFound\b|\bRemotePeeringIsDisconnected\b|\bRemoteVnet\w*AddressSpace\w*|\bPeering\w*(?:Disconnected|NotSupported|Conflict)\w*|cannot change when virtual network has peerings|Cannot create or update peering \S{3,400}",
            says="a peering is refused",
            sample='{"error":{"code":"RemotePeeringIsDisconnected","message":"Cannot create or update peering /x because remote peering /y referencing parent virtual network is in Disconnected state."}}',
            unless=r"(?i)address ?spaces?\w* ?overlap",
            near_miss="Peering /x is Connected",
        ),
    ),
    why="Peering needs both sides: an existing remote network, no overlap of address spaces, and no half that was deleted. After a change of an address space it must be synchronised.",
    remedy=(
        Step(
            "See both halves.",
            run=(
                "az",
                "network",
                "vnet",
                "peering",
                "list",
                "-g",
                "<group>",
                "--vnet-name",
                "<network>",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete and make both halves anew, or synchronise them; give one network another range if they overlap.",
            verify="both halves are Connected",
        ),
    ),
    leads_to=(
        "aks.deployment_failed",
        "aks.operation_failed",
        "aks.subnet_range_invalid",
    ),
    docs=(
        "https://learn.microsoft.com/azure/virtual-network/virtual-network-troubleshoot-peering-issues",
    ),
    ask="az network vnet peering list -g <group> --vnet-name <network> -o table",
)
