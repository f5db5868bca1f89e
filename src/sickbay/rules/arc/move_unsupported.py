from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The resource bridge was to be moved: neither the Azure resource nor the appliance VM can move",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)(?:ResourceMoveNotSupported|ResourceMoveValidationFailed|MissingMoveDependentResources|move is not supported|can(?:no|')t be moved|not supported for move).{0,400}?Microsoft\.ResourceConnector/appliances|Microsoft\.ResourceConnector/appliances.{0,200}?(?:ResourceMoveNotSupported|move is not supported|not support(?:ed)? .{0,20}?move|cannot be moved)",
            says="the bridge cannot be moved",
            sample="ResourceMoveNotSupported: Resource move is not supported for resource types 'Microsoft.ResourceConnector/appliances'.",
            near_miss="ResourceMoveNotSupported: Resource move is not supported for resource types 'Microsoft.Sql/servers'.",
        ),
        Signature(
            pattern=r"(?i)\bInvalidResourceLocation\b.{0,300}?(?P<name>[\w-]+).{0,300}?already exists in location '?(?P<there>\w+)'?.{0,400}?Microsoft\.ResourceConnector|Microsoft\.ResourceConnector/appliances.{0,600}?\bInvalidResourceLocation\b",
            says="the bridge exists in another location",
            sample="az arcappliance create: PUT /subscriptions/1/resourceGroups/rg/providers/Microsoft.ResourceConnector/appliances/arb1 failed. InvalidResourceLocation: The resource 'arb1' already exists in location 'eastus' in resource group 'rg'. A resource with the same name cannot be created in location 'westeurope'.",
            near_miss="InvalidResourceLocation: The resource 'vm1' already exists in location 'eastus'",
        ),
    ),
    why="A resource move to another group, subscription or region is not supported for Microsoft.ResourceConnector/appliances, and the appliance VM keeps the inventory path and the settings of its first deployment. The bridge has to be deleted and deployed again in the place that is wanted.",
    remedy=(
        Step(
            "Note the custom locations and extensions of the bridge, which the recovery procedure keeps.",
            run=(
                "az",
                "customlocation",
                "list",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the bridge.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Deploy it with files that name the new place.",
            run=(
                "az",
                "arcappliance",
                "run",
                "<fabric>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=("arc.waiting_for_heartbeat",),
)
