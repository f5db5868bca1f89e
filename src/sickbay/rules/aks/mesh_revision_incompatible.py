from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The service mesh (Istio) revision does not fit: version, upgrade or number of revisions",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)Revision asm-[\d-]+ is not supported|Requested change in revisions is not allowed|Service mesh revision \S+ is not compatible with cluster version|ServiceMeshProfile revision field must not be empty|exceeds maximum allowed number of revisions|Mesh upgrade is in progress|(?:mesh|istio)(?: control plane)? revision \S+ .{0,60}?(?:not (?:supported|found|compatible)|incompatible|cannot be (?:upgraded|changed))",
            says="the mesh revision was refused",
            sample="Service mesh revision asm-1-17 is not compatible with cluster version 1.31. To find information about mesh-cluster compatibility, use 'az aks mesh get-upgrades'",
            near_miss="Service mesh revision asm-1-24 is compatible with cluster version 1.31",
        ),
    ),
    why="A revision of the Istio add-on supports some Kubernetes versions only, at most two revisions may exist side by side during an upgrade, and an upgrade in progress must be completed or rolled back before the next step.",
    remedy=(
        Step(
            "See revisions and what they are compatible with.",
            run=(
                "az",
                "aks",
                "mesh",
                "get-upgrades",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Complete or roll back the running mesh upgrade, then choose a listed revision.",
            run=(
                "az",
                "aks",
                "mesh",
                "upgrade",
                "complete",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query serviceMeshProfile.istio.revisions wants one revision",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/istio-upgrade",),
    leads_to=("aks.operation_failed",),
    ask="az aks mesh get-upgrades -g {resource_group} -n {cluster} -o json",
)
