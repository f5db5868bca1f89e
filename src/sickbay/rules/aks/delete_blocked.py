from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Deletion is blocked by a resource that is still in use by another",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\b(?:PublicIPAddressCannotBeDeleted|InUse(?:Subnet|NetworkSecurityGroup|RouteTable|PublicIPAddress)CannotBeDeleted|CannotDeleteLoadBalancerWithPrivateLinkService|PrivateLinkServiceWithPrivateEndpointConnectionsCannotBeDeleted|LoadBalancerInUseByVirtualMachineScaleSet|NetworkSecurityGroupInUseByVirtualMachineScaleSet|NicInUse\w*|NetworkProfileAlreadyInUse\w*)\b|(?i:is already in use with container nics)|(?i:cannot be deleted (?:because|since) it (?:is (?:still )?(?:in use|allocated)|has))|(?i:is in use by \S+ and cannot be deleted)|(?i:Cannot delete (?:load balancer|network security group|public ip\w*|route table|subnet) \S+ since it)|(?i:Cannot delete .*? (?:are|is) in use by)",
            says="something is still in use and cannot be deleted",
            sample="InUseSubnetCannotBeDeleted: Subnet aks-nodes is in use by /subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/networkInterfaces/nic/ipConfigurations/ip and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet.",
            near_miss="Subnet aks-nodes is not in use and was deleted",
        ),
    ),
    why="A public IP, subnet, security group, route table, load balancer or private link service of the cluster is in use by something that AKS did not make (an App Service link, a private endpoint, a foreign machine or scale set). Azure deletes it only when that dependency is gone.",
    remedy=(
        Step(
            "See what the message names as user of the resource.",
            run=("az", "resource", "show", "--ids", "<user-id>"),
            risk=Risk.READ,
        ),
        Step(
            "Remove or detach it: private endpoints and the private link service, the association of subnet, security group, route table or address.",
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids <user-id> wants: not found, or no reference",
        ),
        Step("Delete again."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/publicipaddr-inusesubnet-netsecgrp-error",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/lb-pvtlinksvcwithpvtendptconn-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
