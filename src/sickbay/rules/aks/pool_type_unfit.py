from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The type of the node pool (VirtualMachineScaleSets, VirtualMachines) does not support the request",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.SCALING,
    ),
    detect=(
        Signature(
            pattern=r"(?i)agent ?pool type '?VirtualMachine\w*'?\b.{0,160}?(?:does not|doesn't|not (?:supported|allowed)|cannot|only|must)|(?:not (?:supported|allowed)|only (?:supported|allowed|available)|cannot be used) (?:for|on|with|by) (?:agent ?pools? |node ?pools? )?(?:of )?(?:type )?'?VirtualMachine(?:s|ScaleSets)\b|virtualMachinesProfile\b.{0,120}?(?:\binvalid\b|must|cannot|not (?:supported|allowed)|required)|--vm-(?:sizes|set-type)\b.{0,80}?(?:not (?:supported|allowed)|only|cannot|must)",
            says="the type of the pool does not support the request",
            sample="(BadRequest) agent pool type VirtualMachines does not support cluster autoscaler with virtualMachinesProfile.scale.manual set",
            near_miss="agent pool type: VirtualMachineScaleSets",
            weight=TYPICAL,
            unless=r"(?i)availability ?set|virtualMachineScaleSets/aks-",
        ),
    ),
    why="A pool of type VirtualMachines holds machines of several sizes, scaled by its virtualMachinesProfile; one of type VirtualMachineScaleSets has one size and a count. Each type lacks settings of the other, and the type is fixed when the pool is made.",
    remedy=(
        Step(
            "See the types of the pools.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--query",
                "[].{name:name,type:typePropertiesType}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use the commands of that type (az aks nodepool manual-scale for VirtualMachines), or make a pool of the other type."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/virtual-machines-node-pools",),
    leads_to=("aks.request_refused",),
    ask="az aks nodepool show -g {resource_group} --cluster-name {cluster} -n <pool> -o json",
)
