from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The service mesh (Istio) profile of the request is not valid",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Invalid istio ingress mode|ServiceMeshProfile is missing required param|Missing service mesh mode|Istio profile is missing|service mesh is not supported in this region|Use of Istio .{0,80}? is disallowed|Too many ingresses for type|Istio based Azure service mesh is incompatible with feature|AzureKeyvaultSecretsProvider addon is required for Azure Service Mesh|Invalid (?:istio )?ingress gateway mode|Istio ingress gateway mode .{0,60}?invalid|plugin certificate authority .{0,80}?(?:required|missing)",
            says="the service mesh profile was refused",
            sample="Istio based Azure service mesh is incompatible with feature openServiceMesh",
            near_miss="Istio based Azure service mesh was enabled",
        ),
    ),
    why="The Istio add-on (Azure service mesh) checks its profile before it is enabled: mode and ingress gateway types, one gateway of each type, a region that offers it, add-ons that it needs (the Key Vault secrets provider for a plug-in certificate authority) and features that exclude it.",
    remedy=(
        Step(
            "See the profile and the add-ons of the cluster.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "{mesh:serviceMeshProfile,addons:addonProfiles}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct what the message names, then enable the mesh again.",
            run=("az", "aks", "mesh", "enable", "-g", "{resource_group}", "-n", "{cluster}"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query serviceMeshProfile.mode wants Istio",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/istio-deploy-addon",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-general-troubleshooting",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks show -g {resource_group} -n {cluster} --query serviceMeshProfile",
)
