from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The service or pod CIDR overlaps a subnet of the network",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"\bServiceCidrOverlapExistingSubnetsCidr\b|\b(?:NetworkProfile|Service|Pod)C(?:IDR|idr)Overlap\w*|(?i:NetworkProfile CIDR (?P<pods>[\w./-]+) overlaps with)|(?i:service CIDR '?(?P<service>[\w./<>-]+)'? is conflicted with an existing subnet CIDR '?(?P<subnet>[\w./<>-]+))",
            says="the service CIDR overlaps a subnet",
            sample="(ServiceCidrOverlapExistingSubnetsCidr) The specified service CIDR 10.0.0.0/16 is conflicted with an existing subnet CIDR 10.0.1.0/24",
            near_miss="The specified service CIDR 172.16.0.0/16 is free in the network",
        ),
    ),
    why="Addresses of services (and of pods with an overlay) exist only inside the cluster, so their range must not be in use by any subnet of the network or by what is reached through it: traffic to those subnets would never leave the node.",
    remedy=(
        Step(
            "See the prefixes of the network.",
            run=(
                "az",
                "network",
                "vnet",
                "show",
                "--ids",
                "<vnet-id>",
                "--query",
                "subnets[].addressPrefix",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the cluster with a service CIDR that nothing uses, and a DNS service address inside of it.",
            run=(
                "az",
                "aks",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--service-cidr",
                "<free-prefix>",
                "--dns-service-ip",
                "<address-in-it>",
            ),
            risk=Risk.SAFE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/servicecidroverlapexistingsubnetscidr-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az network vnet show --ids <vnet-id> -o json",
)
