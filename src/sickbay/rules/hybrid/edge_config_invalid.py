from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The configuration of AKS Edge Essentials is not valid: address, switch, adapter or value (aksedge-config.json)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\b[1-9]\d* errors? found in the (?:deployment|install) configuration|Error: VSwitch\.(?:Type|Name|AdapterName) (?:should be|is required)|External switch creation will fail|Cannot deploy Windows Node|Error: (?:\w+\.)?(?:Ip4\w+|ServiceIPRange\w+|ControlPlaneEndpoint\w*|ClusterJoinToken|DiscoveryTokenHash)\b.{0,60}?(?:in use|is not reachable|are not in the same subnet|missing|should be|Invalid IP4Address)|Error: Ip4GatewayAddress and \S{1,60}? \S{1,60}? are not in the same subnet|Error: (?:Invalid IP4PrefixLength|VmDataSizeInGB should be|JoinCluster and SingleMachineCluster are both|Missing/incorrect mandatory EULA|Incorrect aksedgeProduct|DeployOptions \(|Non SingleMachineCluster requires Network)",
            says="the configuration file has errors",
            sample="*** 2 errors found in the deployment configuration.",
            near_miss="*** 0 errors found in the deployment configuration.",
        ),
        Signature(
            pattern=r"(?i)\bNew-AksEdge(?:Config|Deployment|ScaleConfig)\b.{0,200}?(?:Cannot validate argument on parameter|Cannot process argument|Cannot bind argument|is (?:invalid|not valid|empty|null)\b|SchemaVersion)|schemaVersionAksEdgeConfig\b.{0,60}?(?:empty|null)|aksedge-config\.json\b.{0,200}?(?:is not valid|invalid (?:json|schema|value)|not found)",
            says="a value of the configuration is refused",
            sample='TerminatingError(New-AksEdgeConfig): "Cannot validate argument on parameter \'NodeType\'. The argument "" does not belong to the set"',
            near_miss="New-AksEdgeConfig -DeploymentType SingleMachineCluster -outFile aksedge-config.json",
            weight=TYPICAL,
        ),
    ),
    why="New-AksEdgeDeployment checks its JSON file first: addresses must be free and in one subnet with a gateway that answers, an external switch needs a physical adapter that is up, and each value must be one that the schema of this version knows. Errors there stop the deployment before a node is made.",
    remedy=(
        Step(
            "Test the network values.",
            run=(
                "powershell",
                "-Command",
                "Test-AksEdgeNetworkParameters -JsonConfigFilePath aksedge-config.json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Write a fresh file of this version with New-AksEdgeConfig, correct what the errors name in it, and deploy again.",
            run=(
                "powershell",
                "-Command",
                "New-AksEdgeDeployment -JsonConfigFilePath aksedge-config.json",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-edge-deployment-config-json",),
    ask="powershell -Command Test-AksEdgeNetworkParameters -JsonConfigFilePath aksedge-config.json",
)
