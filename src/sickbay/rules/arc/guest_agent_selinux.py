from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="SELinux stops the Arc agent's installation that VMware tools start (AZCM0143)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"\bAZCM0143\b",
            says="the agent's installation failed",
            sample="Provisioning of the resource failed with Code: AZCM0143; Message: install_linux_azcmagent.sh: installation error",
            near_miss="Provisioning of the resource completed with azcmagent installed",
            weight=TYPICAL,
        ),
    ),
    why="With SELinux enforcing, RPM scripts that are started through VMware tools are denied, and install_linux_azcmagent.sh ends with AZCM0143: installation error.",
    remedy=(
        Step(
            "See whether SELinux enforces.",
            run=(
                "ssh",
                "<vm>",
                "getenforce",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Build and load an SELinux module that lets VMware tools run RPM scripts.",
            run=(
                "sudo",
                "semodule",
                "-i",
                "vmtools_unconfined_rpm_script_kcs5347781.pp",
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
    ask="ssh <vm> getenforce",
)
