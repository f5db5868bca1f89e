from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The credentials that the appliance VM holds for vCenter or the private cloud are no longer valid",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)Cannot complete login due to an incorrect user name or password|ServerFaultCode: Cannot complete login|\bInvalidLogin\b",
            says="vCenter refuses the stored account",
            sample="ServerFaultCode: Cannot complete login due to an incorrect user name or password.",
            near_miss="Login completed for user arc@vsphere.local",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)user account (?:is |has been )?locked|account .{0,60}?is locked out|Cannot complete login because .{0,40}?locked",
            says="the stored account is locked",
            sample="Cannot complete login because the user account is locked.",
            near_miss="The user account was unlocked",
            weight=TYPICAL,
        ),
    ),
    why="The appliance VM signs in to the management endpoint of the private cloud with an account that is stored inside it. When the password was changed or the account expired or was locked, the bridge can no longer manage VMs, be upgraded, or stay connected.",
    remedy=(
        Step(
            "Give the appliance the current credentials.",
            run=(
                "az",
                "arcappliance",
                "update-infracredentials",
                "vmware",
                "--kubeconfig",
                "<kubeconfig>",
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
    leads_to=("arc.appliance_offline",),
    ask="govc about -u <user>@<vcenter>",
)
