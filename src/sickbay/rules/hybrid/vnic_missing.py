from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Machines of AKS lost their network adapters (vNIC) after the hosts were restarted one after the other",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bvNICs?\b.{0,60}?(?:(?:is|are|go(?:es)?|went|was|were) )?(?:missing|lost|gone|disappear\w*|detached)|(?:lost|lose|losing|missing) (?:the |their |its )?(?:vNICs?\b|network adapters? .{0,60}?(?:reboot|restart))",
            says="machines have no network adapter",
            sample="After a reboot of the HCI nodes the vNIC of moc-l1 is missing",
            near_miss="After a reboot of the HCI nodes the vNIC of moc-l1 is connected",
            weight=TYPICAL,
        ),
    ),
    why="When nodes of Azure Stack HCI restart one by one, older MOC node agents can lose the link between a machine and its vNIC: the machine runs without a network, and its node turns NotReady.",
    remedy=(
        Step(
            "See which machines have no adapter.",
            run=(
                "powershell",
                "-Command",
                "Get-ClusterNode | ForEach-Object { Get-VM -ComputerName $_ } | Get-VMNetworkAdapter | Format-Table VMName,SwitchName,IPAddresses",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Connect the vNIC again, and update AKS (mended in the release of May 2022).",
            run=(
                "powershell",
                "-Command",
                "Connect-MocNetworkInterface -name <vnic> -group <group> -virtualMachineName <vm>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-upgrade",),
    ask="powershell -Command Get-VM | Get-VMNetworkAdapter",
    leads_to=("kubernetes.node_not_ready",),
)
