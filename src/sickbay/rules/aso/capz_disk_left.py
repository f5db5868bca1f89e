from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A machine cannot be made anew: the OS disk of its predecessor of the same name is still there",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r"(?i)Disk (?P<disk>[\w.-]{1,90}) already exists in resource group (?P<disk_group>[\w.()-]{1,90}?)\. Only CreateOption\.Attach is supported",
            says="the disk {disk} is still in the group {disk_group}",
            sample="ConflictingUserInput: Disk shop-md-0_OSDisk already exists in resource group shop. Only CreateOption.Attach is supported.",
            near_miss="Disk shop-md-0_OSDisk was attached in resource group shop.",
        ),
    ),
    why="Somebody deleted the virtual machine in Azure and not its disks. Whoever owns it (Cluster API, a template) makes it again by the same name and asks for a new OS disk of the same name, which Azure refuses with ConflictingUserInput, and so does every further attempt.",
    remedy=(
        Step(
            "See that no machine uses the disk any more (managedBy is empty).",
            run=(
                "az",
                "disk",
                "show",
                "-g",
                "{disk_group}",
                "-n",
                "{disk}",
                "--query",
                "managedBy",
            ),
            risk=Risk.READ,
        ),
        Step(
            "With Cluster API delete the Machine object, so that its set makes one of another name.",
            run=(
                "kubectl",
                "delete",
                "machines.cluster.x-k8s.io",
                "<machine>",
                "-n",
                "<namespace>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get machines -n <namespace> shows the new machine as Running",
        ),
        Step(
            "Otherwise delete the old disk.",
            run=("az", "disk", "delete", "-g", "{disk_group}", "-n", "{disk}"),
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/virtual-machines/delete",),
    leads_to=(
        "aso.operation_conflict",
        "aso.name_taken",
        "aks.parameter_invalid",
        "aks.request_refused",
    ),
    ask="az disk list -g <resource-group> -o table",
)
