from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The availability zone is not supported for this VM size (AvailabilityZoneNotSupported)",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING),
    detect=(
        Signature(
            pattern=r"(?i)\bAvailabilityZoneNotSupported\b|zone\(s\) '?(?P<zone>[\w, ]+)'? for resource '?(?P<resource_name>[\w<>-]+)'? is not supported|supported zones for location '?(?P<location>[\w<>-]+)'? are",
            says="a zone is not supported for the pool",
            sample="Preflight validation check for resource(s) for container service shop in resource group rg failed. Message: The zone(s) '1' for resource 'np1' is not supported. The supported zones for location 'westeurope' are '2', '3'",
            near_miss="The zone(s) '1' for resource 'np1' is supported in westeurope",
        ),
    ),
    why="A size is not offered in every zone of a region, and a zone can be restricted for a subscription. The pool asks for a zone that is not in the list.",
    remedy=(
        Step(
            "See in which zones the size is offered to you.",
            run=(
                "az",
                "vm",
                "list-skus",
                "-l",
                "{location}",
                "--zone",
                "--resource-type",
                "virtualMachines",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the pool in the zones that are listed, or with another size.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--node-vm-size",
                "<size>",
                "--zones",
                "<zones>",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/availabilityzonenotsupported-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az vm list-skus -l {location} --zone --resource-type virtualMachines -o json",
)
