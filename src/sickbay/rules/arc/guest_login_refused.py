from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Guest management cannot log in to the domain-joined Linux VM: SSSD does not permit vmtoolsd",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"\bInvalidGuestLogin\b",
            says="the guest login was refused",
            sample="InvalidGuestLogin: Failed to authenticate to the system with the credentials",
            near_miss="GuestLogin succeeded with the credentials",
            weight=TYPICAL,
        ),
    ),
    why="VMware tools run the agent's installation as the given user through the PAM service vmtoolsd. On a domain-joined Linux machine SSSD refuses this guest login (InvalidGuestLogin) until the service is mapped with ad_gpo_map_batch = +vmtoolsd; a wrong password shows the same.",
    remedy=(
        Step(
            "Add ad_gpo_map_batch = +vmtoolsd to the domain's section of /etc/sssd/sssd.conf.",
        ),
        Step(
            "Restart SSSD on the VM.",
            run=(
                "sudo",
                "systemctl",
                "restart",
                "sssd",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Enable guest management again.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/troubleshoot-guest-management-issues",
    ),
    ask="grep ad_gpo_map_batch /etc/sssd/sssd.conf",
)
