from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The vCenter account of the resource bridge is locked out",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:vcenter|vsphere|vpxd|sso|vsphere\.local).{0,200}?account .{0,80}?(?:is |has been |was )?locked|account .{0,80}?locked.{0,120}?(?:vcenter|vsphere|vsphere\.local)|Cannot complete login because .{0,60}?locked|EventEx.{0,80}?AccountLocked",
            says="the account is locked",
            sample="vCenter Server event: User account 'arc@vsphere.local' is locked. Cannot complete login because the account is locked out.",
            near_miss="vCenter Server event: User arc@vsphere.local logged in",
        ),
    ),
    why="The bridge kept logging in with an outdated password until vCenter locked the account. Unlocking alone does not help: the password stored in the appliance has to be renewed (update-infracredentials, with --skipWait because its check would log in with the old one), and that of the cluster extension as well.",
    remedy=(
        Step(
            "Unlock the account in vCenter (Administration, Single Sign On, Users).",
        ),
        Step(
            "Renew the credentials in the appliance without waiting for the old ones.",
            run=(
                "az",
                "arcappliance",
                "update-infracredentials",
                "vmware",
                "--kubeconfig",
                "<kubeconfig>",
                "--address",
                "<vcenter>",
                "--username",
                "<user>",
                "--password",
                "<password>",
                "--skipWait",
            ),
            risk=Risk.SAFE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
        Step(
            "Renew the credentials of the cluster extension as well.",
            run=(
                "az",
                "connectedvmware",
                "vcenter",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "<vcenter>",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/maintenance",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=(
        "arc.vm_credentials_expired",
        "arc.appliance_offline",
        "arc.upgrade_failed",
    ),
    ask="govc about -u <user>@<vcenter>",
)
