from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The operating system of a node does not come up (kernel panic, emergency mode)",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"Kernel panic - not syncing: (?P<panic>[^\]\[]{1,120})",
            says="the kernel of the machine stopped: {panic}",
            sample="[    3.212402] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)",
            near_miss="[    0.000000] Kernel command line: BOOT_IMAGE=/boot/vmlinuz root=PARTUUID=1 ro console=ttyS0 panic=-1",
        ),
        Signature(
            pattern=r"(?i:you are in (?:emergency|rescue) mode)|Entering emergency mode\. Exit the shell to continue|Give root password for maintenance|dracut-initqueue(?:\[\d+\])?: Warning: (?:dracut-initqueue )?timeout",
            says="the machine stopped before its system was up, and waits at its console",
            sample='You are in emergency mode. After logging in, type "journalctl -xb" to view system logs, "systemctl reboot" to reboot, or "exit" to continue bootup.',
            near_miss="[    2.101231] systemd[1]: Reached target Emergency Mode is not wanted; reached target Basic System.",
        ),
    ),
    why="The machine has power and the platform calls it running, but its kernel stopped or found no root file system, so that neither its agent nor the kubelet ever starts. A disk that broke, an image that was changed, or a kernel module of one's own does that; nothing inside the machine can mend it.",
    remedy=(
        Step(
            "Read the last lines of its console.",
            run=(
                "az",
                "rest",
                "--method",
                "post",
                "--url",
                "/subscriptions/{subscription}/resourceGroups/{node_resource_group}/providers/Microsoft.Compute/virtualMachineScaleSets/<scale-set>/virtualMachines/<id>/retrieveBootDiagnosticsData?api-version=2024-07-01",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the machine a new disk from its image; pods on it are started elsewhere.",
            run=(
                "az",
                "vmss",
                "reimage",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes wants Ready",
        ),
        Step(
            "If new machines stop at the same place, take back what was changed last: a daemon set that loads kernel modules or writes to the boot disk, or the node image (az aks nodepool upgrade --node-image-only)."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/virtual-machines/linux/linux-kernel-panic-troubleshooting",
        "https://learn.microsoft.com/azure/virtual-machines/boot-diagnostics",
    ),
    leads_to=(
        "aks.instance_failed",
        "aks.machine_failed",
        "aks.vm_extension_failed",
        "aks.bootstrap_timeout",
        "aks.auto_repair_failed",
        "kubernetes.kubelet_silent",
    ),
    ask="az vm boot-diagnostics get-boot-log -g {node_resource_group} -n <machine>",
)
