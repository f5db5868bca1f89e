from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Arc agent could not be installed inside the new VM in time: the VM has no address or no way to Azure",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Timed out installing ArcForServerAgent|guest ?management .{0,80}?(?:timed out|did not complete in time)",
            says="the agent was not installed in time",
            sample="Timed out installing ArcForServerAgent: The operation has timed out",
            near_miss="Installed ArcForServerAgent",
            weight=TYPICAL,
        ),
    ),
    why="Azure Local starts the installation of the Connected Machine agent inside the VM and waits. A VM that got no address from its logical network, has no DNS, or is behind a proxy that it was not told of cannot download or register the agent.",
    remedy=(
        Step(
            "See whether the VM has an address.",
            run=(
                "powershell",
                "-Command",
                "Get-VM | Get-VMNetworkAdapter | Format-Table VMName,IPAddresses",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the logical network (pool, gateway, DNS) or the proxy of the VM, and enable guest management again.",
            run=(
                "az",
                "stack-hci-vm",
                "update",
                "-g",
                "{resource_group}",
                "--name",
                "<vm>",
                "--enable-agent",
                "true",
            ),
            risk=Risk.SAFE,
            verify="az stack-hci-vm show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-arc-enabled-vms",),
    leads_to=("aks.deployment_failed",),
    ask="powershell -Command Get-VM | Get-VMNetworkAdapter",
)
