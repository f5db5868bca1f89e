from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The licence of vSphere forbids what is asked of it: free or expired ESXi licence, or a smaller edition",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)Current license or ESXi version prohibits execution of the requested operation|\blicense (?:is )?not available to perform the operation|ServerFaultCode: .{0,120}?\blicense (?:has |is )?expired",
            says="the licence of vSphere forbids the operation",
            sample="ServerFaultCode: Current license or ESXi version prohibits execution of the requested operation.",
            near_miss="ServerFaultCode: Permission to perform this operation was denied.",
        ),
    ),
    why="vSphere answers calls that change machines only on hosts with a paid licence: the free ESXi licence makes the API read-only, an evaluation ends after 60 days, and some calls need a certain edition. Reads still work, so the validation passes and the clone or power-on of the virtual machine is refused.",
    remedy=(
        Step(
            "See the licences, their editions and when they end.",
            run=("govc", "license.ls"),
            risk=Risk.READ,
        ),
        Step(
            "Assign a valid licence to vCenter and to every host of the cluster, then repeat the operation.",
            verify="govc license.assigned.ls names no evaluation that has ended",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/support-matrix-for-arc-enabled-vmware-vsphere",
    ),
    leads_to=("arc.cloud_resource_failed", "arc.kva_timeout"),
    ask="govc license.ls",
)
