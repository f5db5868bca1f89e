from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The virtual machine of the AKS management cluster gets no IP address",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:timed out|stuck|hangs?|hung|failed|gave up|forever)\b.{0,120}?waiting for (?:the )?(?:Load Balancer )?VM IP address|failed to get (?:the )?(?:Load Balancer )?VM IP address|waiting for (?:the )?(?:Load Balancer )?VM IP address\b.{0,400}?(?:timed out|non zero exit code|generic_non_zero|stuck|hangs?|hours?\b)",
            says="the appliance machine has no address",
            sample="Install-AksHci stuck while waiting for VM IP address",
            near_miss="INFO - azurestackhciProvider: Waiting for VM IP address",
            weight=TYPICAL,
        ),
    ),
    why="Install-AksHci starts the appliance machine on the virtual switch and waits until it shows an address. None comes when the switch is not bound to the right adapter, the VLAN is wrong, DHCP does not answer or the static pool and gateway do not fit the network; nested Hyper-V without MAC spoofing drops its frames as well.",
    remedy=(
        Step(
            "See the machine and its adapter.",
            run=(
                "powershell",
                "-Command",
                "Get-VM | Get-VMNetworkAdapter | Format-Table VMName,SwitchName,IPAddresses,Status",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct switch, VLAN, gateway and pool with New-AksHciNetworkSetting, turn on MAC address spoofing where Hyper-V is nested, and install again after Uninstall-AksHci.",
            run=(
                "powershell",
                "-Command",
                "Uninstall-AksHci",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-VM | Get-VMNetworkAdapter wants an address for the control plane machine",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",),
    ask="powershell -Command Get-VM | Get-VMNetworkAdapter",
)
