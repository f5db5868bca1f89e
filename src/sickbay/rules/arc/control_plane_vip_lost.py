from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The resource bridge has lost its control plane IP: it is not on the appliance VM any more",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Netlink reflector reports IP (?P<vip>[\d.]+) removed|Keepalived_vrrp.{0,200}?(?:lost|removed|deleted|no longer|missing).{0,40}?(?:VIP|address|(?P<address>\d+\.\d+\.\d+\.\d+))|Netlink reports .{0,80}? (?:down|removed|deleted)|VRRP_Instance\(\w+\) Entering FAULT STATE",
            says="keepalived gave up the virtual address",
            sample="Keepalived_vrrp[912]: VRRP_Instance(VI_1) Entering FAULT STATE",
            near_miss="Keepalived_vrrp[912]: VRRP_Instance(VI_1) Entering MASTER STATE",
            weight=TYPICAL,
        ),
    ),
    why="The control plane needs a static address. An address from DHCP without a reservation can change with a reboot, and keepalived loses a virtual address when systemd-networkd is restarted; every call to the API server of the bridge then fails, although the VM answers on its own address.",
    remedy=(
        Step(
            "Ask both addresses from the management machine.",
            run=(
                "Test-NetConnection",
                "<control-plane-ip>",
                "-Port",
                "6443",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Restart the appliance VM: it takes its address back.",
            risk=Risk.DISRUPTIVE,
            verify="Test-NetConnection <control-plane-ip> -Port 6443 wants TcpTestSucceeded True",
        ),
        Step(
            "Reserve the address if a DHCP server gives it.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
    leads_to=("arc.appliance_offline",),
    ask="Test-NetConnection <control-plane-ip> -Port 6443; ping <appliance-vm-ip>",
)
