from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The link from the appliance to the registries is too slow or drops, so images are not pulled in time",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Context timed out during phase[^A-Za-z0-9]{0,8}(?P<phase>ApplyingKvaImageOperator|WaitingForProviderSpecifics)",
            says="the deployment waited in vain in phase {phase}",
            sample='{ "errorCode": "ContextError", "errorResponse": "Context timed out during phase \'ApplyingKvaImageOperator\'" }',
            near_miss="Context timed out during phase 'WaitingForAPIServer'",
            weight=TYPICAL,
        ),
    ),
    why="The appliance pulls the KVA image operator (400 MB) and the provider images from mcr.microsoft.com. Over a slow or unstable link it does not finish, and the context times out during phase ApplyingKvaImageOperator or WaitingForProviderSpecifics.",
    remedy=(
        Step(
            "Collect the logs by the address of the appliance VM (the kubeconfig may be empty) and read kva.log.",
            run=(
                "az",
                "arcappliance",
                "logs",
                "<fabric>",
                "--ip",
                "<appliance-vm-ip>",
                "--out-dir",
                "logs",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the appliance a stable line to mcr.microsoft.com (at least 2 Mbps; 100 Mbps is the lowest that was validated), wait half an hour, and repeat.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
    ),
    leads_to=(
        "arc.kva_timeout",
        "arc.url_unreachable",
    ),
    ask="az arcappliance logs <fabric> --ip <appliance-vm-ip> --out-dir logs",
)
