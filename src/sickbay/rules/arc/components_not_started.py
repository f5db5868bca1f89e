from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Agents and charts inside the appliance did not start (phase WaitingForAdditionalComponents)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Context timed out during phase[^A-Za-z0-9]{0,8}WaitingForAdditionalComponents",
            says="the components of the appliance did not start",
            sample="ContextError: Context timed out during phase 'WaitingForAdditionalComponents'",
            near_miss="Context timed out during phase 'WaitingForCluster'",
            weight=TYPICAL,
        ),
    ),
    why="Critical components such as the cluster connect agent and the Helm charts did not come up before the context timed out: a malformed no_proxy list (blanks, double commas), blocked endpoints, less than 100 Mbps, or a VM with too little disk, CPU or memory.",
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
            "Write the no_proxy list with commas only, without blanks and empty items; give the VM 4 vCPU, 8 GB and 200 GB on flash-backed storage.",
        ),
        Step(
            "Delete what the failed attempt left, correct the configuration files, and deploy again.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
    leads_to=(
        "arc.kva_timeout",
        "arc.url_unreachable",
    ),
    ask="az arcappliance logs <fabric> --ip <appliance-vm-ip> --out-dir logs",
)
