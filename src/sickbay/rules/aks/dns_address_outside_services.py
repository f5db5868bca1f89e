from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The DNS service address lies outside the service CIDR",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bDnsServiceIpOutOfServiceCidr\b|dns service ip .{0,60}?(?:is not (?:in|within)|out of|outside) .{0,40}?service ?cidr",
            says="the DNS service address is outside the service CIDR",
            sample="DnsServiceIpOutOfServiceCidr: The specified DNS service IP 10.1.0.10 is out of the specified service CIDR 10.0.0.0/16.",
            near_miss="The specified DNS service IP 10.0.0.10 is in the specified service CIDR 10.0.0.0/16",
        ),
    ),
    why="The cluster's DNS is a service, so its address must come from the service CIDR, and must not be the first address there.",
    remedy=(
        Step(
            "Choose an address inside the service CIDR, for instance the tenth.",
            run=(
                "az",
                "aks",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--service-cidr",
                "<prefix>",
                "--dns-service-ip",
                "<address-in-it>",
            ),
            risk=Risk.SAFE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/dnsserviceipoutofservicecidr-error",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} --query networkProfile",
)
