from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Network plugin, network policy and address families of the request do not fit together",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i:Windows agent ?pools can only be added to .{0,40}?using Azure.?CNI)|\b(?:AzureCNIOnlyForWindows|UnknownNetworkPlugin|NetworkPolicy\w*NotSupported\w*|NetworkMode(?:NotSupported|Invalid)|PodIdentityAddonWithKubeNet\w+|ACIConnectorRequiresAzureNetworking|AzureCNISubnetNotDefined|EmptySubnetError|UnsupportedDualStackNetwork(?:Plugin|Policy)|SingleStackVnetSubnetWithDualStackCluster|VnetSubnetMissingIPv6|IPv6NotSupported|MultipleAddressPrefixesSubnetNotSupported|InvalidNetworkingConfig|(?i:Unsupported\w*Network\w*))\b|(?i:cilium (?:data ?plane )?requires (?:either )?(?:network )?(?:policy|plugin))|(?i:network ?plugin ?mode \w+ is (?:only supported|not supported) with)|(?i:cannot update (?:the )?cluster to Azure CNI\b)|(?:pod_cidr|service_cidr|dns_service_ip|docker_bridge_cidr)\W{1,4}(?:and\b|,).{1,80}?(?:cannot be set together|should all be empty or)|(?i:specify network plugin mode .{0,3}overlay.{0,3} when using pod_cidr)|(?i:\b(?:Advanced (?:Container )?Networking(?: Services)?|ACNS)\b.{0,100}?(?:requires?|not supported|only supported|must|cannot))|(?i:(?:network ?policy|network ?data ?plane|network ?plugin(?: ?mode)?|pod ?cidr|kube-?proxy)\b.{0,80}?(?:cannot be (?:used|enabled|updated|set|changed) (?:with|while|when|on|without)|is only (?:supported|allowed|available) (?:with|when|for)|must be (?:set to |used with )?(?:cilium|azure|overlay|calico|none)))|(?i:\bnetwork policy from \w+ to \w+ (?:requires|is not))|(?i:\bkube-?proxy ?config\b.{0,120}?not (?:supported|allowed))|(?i:network ?policy '?\w+'? is not supported (?:with|for|when) (?:network ?plugin )?\w+)|(?i:network (?:plugin|data ?plane|policy) '?\w+'? (?:does not|doesn't) support)|(?i:(?:windows|dual.?stack|cilium|overlay)\b.{0,60}?(?:requires?|only supports?|must use|is only supported with) .{0,30}?(?:azure cni|network plugin))",
            says="the network settings exclude each other",
            sample="NetworkPolicyAzureNotSupportedForKubenet: Network policy azure is not supported with network plugin kubenet.",
            near_miss="Network policy azure is used with network plugin azure",
        ),
    ),
    why="Not every combination of network plugin (azure, kubenet, none), plugin mode (overlay), data plane (cilium), network policy (azure, calico, cilium) and address family exists: Windows pools need Azure CNI, the policy azure does not work with kubenet, dual stack needs a subnet that has both families. AKS refuses the request before anything is made; most of it cannot be changed later.",
    remedy=(
        Step(
            "See what an existing cluster has.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "networkProfile",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Choose a combination that is offered: Azure CNI Overlay with the data plane Cilium covers most needs, Azure CNI is needed for Windows and virtual nodes."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/concepts-network-cni-overview",
        "https://learn.microsoft.com/azure/aks/use-network-policies",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.request_refused",
        "aks.parameter_invalid",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile -o json",
)
