from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Azure Local has no network controller, which security groups and access policies of its networks need (SDN)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)not implemented for non-NC provider",
            says="the network controller is not there",
            sample="The moc-operator network security group service returned an error while reconciling: AddOrUpdateNetworkSecurityGroup not implemented for non-NC provider: Not Implemented: Failed",
            near_miss="AddOrUpdateNetworkSecurityGroup applied by the NC provider",
        ),
    ),
    why="Network security groups and default network access policies of Azure Local are carried out by the network controller of SDN enabled by Azure Arc, which is not deployed on this instance.",
    remedy=(
        Step(
            "Deploy the network controller with the SDN action plan, or create the network without a security group.",
            run=(
                "powershell",
                "-Command",
                "Add-EceFeature",
                "-Name",
                "NC",
                "-SDNPrefix",
                "<prefix>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-ClusterGroup wants the ApiService role Online",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/deploy/enable-sdn-integration",),
    leads_to=("arc.cloud_resource_failed",),
    ask="Get-ClusterGroup",
)
