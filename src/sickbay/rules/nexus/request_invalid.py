from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Nexus site refuses a resource as it was asked for (validation of the request)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)admission webhook \W?v(?P<kind>l[23]networks?|trunkednetworks?|cloudservicesnetworks?|defaultcninetworks?|kubernetesclusters?|agentpools?|virtualmachines?|baremetalmachines?|storageappliances?|bmckeysets?|baremetalmachinekeysets?|metricsconfigurations?|volumes?|racks?|consoles?)\.kb\.io\W? denied the request(?::? (?P<reason>.{3,200}))?",
            says="the site did not accept a {kind}: {reason}",
            sample='admission webhook "vvirtualmachine.kb.io" denied the request: the teapot is not in the mood',
            near_miss='admission webhook "vvirtualmachine.kb.io" accepted the request',
            weight=TYPICAL,
        ),
    ),
    why="Every resource of the network cloud is validated on the site before it is made: networks against the isolation domain and against each other, machines and clusters against their networks, sizes and keys. This one did not pass, and so the resource in Azure is Failed; the words after `denied the request` say why.",
    remedy=(
        Step(
            "Read the whole answer in the activity log of the resource.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-id",
                "{subject}",
                "--query",
                "[].properties.statusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the value that it names, delete the failed resource and create it again.",
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {subject} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("kubernetes.webhook_denied", "nexus.network_failed"),
    ask="az monitor activity-log list --resource-id {subject} --query [].properties.statusMessage -o tsv",
    wraps=True,
)
