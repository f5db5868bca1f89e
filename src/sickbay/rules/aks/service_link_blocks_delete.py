from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An App Service or other service association link still holds the subnet",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)in use by \S{0,400}?/serviceAssociationLinks?(?:/(?P<link>\w+))?|cannot be deleted because (?:the )?service association link|delegation\(s\) \S{0,120} to reference service association link",
            says="the link {link} holds the subnet",
            sample="InUseSubnetCannotBeDeleted: Subnet aks-subnet is in use by /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v/subnets/aks-subnet/serviceAssociationLinks/AppServiceLink and cannot be deleted.",
            near_miss="Subnet aks-subnet has no serviceAssociationLinks/AppServiceLink any more",
        ),
    ),
    why="A web app with network integration, a container group or another service left a service association link (such as AppServiceLink) on the subnet. The subnet cannot be deleted until that service lets go of it (`InUseSubnetCannotBeDeleted`), and must keep the delegation that the link names (`SubnetMissingRequiredDelegation`).",
    remedy=(
        Step(
            "See what is linked to the subnet.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "show",
                "--ids",
                "<subnet-id>",
                "--query",
                "serviceAssociationLinks",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the network integration of the app; its plan must not keep it either.",
            run=(
                "az",
                "webapp",
                "vnet-integration",
                "remove",
                "-g",
                "<app-group>",
                "-n",
                "<app>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az network vnet subnet show --ids <subnet-id> --query serviceAssociationLinks wants null",
        ),
        Step("Delete again."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/publicipaddr-inusesubnet-netsecgrp-error",
    ),
    leads_to=(
        "aks.delete_blocked",
        "aks.operation_failed",
    ),
    ask="az network vnet subnet show --ids <subnet-id> -o json",
)
