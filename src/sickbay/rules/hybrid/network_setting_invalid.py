from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network settings of AKS on Azure Stack HCI or Windows Server do not fit: pools, gateway, switch or VLAN",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:\w+-AksHci\w*|\w+-Moc\w*|AksHciNetworkSetting|VIP ?pool|k8s ?node ?(?:ip ?)?pool|cloud ?service ?(?:ip|cidr))\b.{0,160}?(?:overlap\w*|(?:is |are )?not (?:with)?in (?:the )?(?:subnet|prefix|range|same)|outside (?:of )?(?:the )?(?:subnet|prefix|range)|(?:virtual )?switch\b.{0,60}?(?:does not exist|not found|is missing)|gateway\b.{0,40}?(?:is )?(?:invalid|not (?:valid|reachable)))",
            says="a network setting does not fit",
            sample="New-AksHciNetworkSetting : The VIP pool range 10.0.0.200-10.0.0.250 overlaps with the Kubernetes node IP pool",
            near_miss="New-AksHciNetworkSetting : The VIP pool range is 10.0.0.200-10.0.0.250",
            unless=r"(?i)specified ipv[46]|logical ?network",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)argument transformation on parameter '(?P<parameter>Ip ?Address\w{0,12}|cloudServiceIP|vipPool(?:Start|End)|k8sNodeIpPool(?:Start|End)|gateway)'.{0,80}?Cannot convert.{0,120}?System\.Net\.IPAddress",
            says="{parameter} is not one IP address",
            sample='Cannot process argument transformation on parameter \'IpAddressStr\'. Cannot convert the "System.Object[]" value of type "System.Object[]" to type "System.Net.IPAddress".',
            near_miss="Parameter 'IpAddressStr' is of type System.Net.IPAddress",
            weight=TYPICAL,
        ),
    ),
    why="New-AksHciNetworkSetting and Set-AksHciConfig want node pool and VIP pool apart from each other and from the cloud service address, all within the prefix together with the gateway, and a virtual switch of that name on every node. What does not fit is refused, or the machines come up without a network.",
    remedy=(
        Step(
            "See the settings and the switches.",
            run=(
                "powershell",
                "-Command",
                "Get-AksHciClusterNetwork; Get-ClusterNode | ForEach-Object { Get-VMSwitch -ComputerName $_ }",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make the setting anew with ranges that do not overlap, and configure again.",
            run=(
                "powershell",
                "-Command",
                "New-AksHciNetworkSetting",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Set-AksHciConfig passes its validation",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-networking",
        "https://learn.microsoft.com/azure/aks/aksarc/validation-tests",
    ),
    ask="powershell -Command Get-AksHciClusterNetwork",
)
