from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The system pool of an AKS Automatic cluster lacks its required taint",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Automatic SKU should set taint CriticalAddonsOnly|AKS Automatic .{0,80}? (?:requires?|should) .{0,60}?taint",
            says="the system pool lacks the taint CriticalAddonsOnly",
            sample="Managed cluster Automatic SKU should set taint CriticalAddonsOnly=true:NoSchedule for the system node pool.",
            near_miss="Managed cluster Automatic SKU set taint CriticalAddonsOnly for the system node pool",
        ),
    ),
    why="AKS Automatic keeps the system node pool for its own pods, which the taint CriticalAddonsOnly=true:NoSchedule holds up. A template that names the pool must name the taint, too.",
    remedy=(
        Step(
            "Add the taint to the system pool in the template.",
            run=(
                "az",
                "aks",
                "nodepool",
                "update",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--node-taints",
                "CriticalAddonsOnly=true:NoSchedule",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks nodepool show --query nodeTaints wants the taint",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/intro-aks-automatic",),
    leads_to=("aks.operation_failed",),
    ask="az aks nodepool show -g {resource_group} --cluster-name {cluster} -n {pool} -o json",
)
