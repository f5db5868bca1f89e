from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A required feature of a Nexus Kubernetes cluster cannot be deleted",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)delete not allowed for (?P<feature>[\w.-]*) ?feature as it is a required feature(?P<cluster>)",
            says="{feature} is a required feature",
            sample="delete not allowed for calico feature as it is a required feature.",
            near_miss="calico feature is installed",
        ),
    ),
    why="Features such as calico, metallb, multus or azure-arc-k8sagents belong to every Nexus Kubernetes cluster and have Required set to True. Their deletion is refused, and the feature shows provisioning state Failed afterwards although it still works.",
    remedy=(
        Step(
            "See which features are required.",
            run=(
                "az",
                "networkcloud",
                "kubernetescluster",
                "feature",
                "list",
                "-g",
                "{resource_group}",
                "--kubernetes-cluster-name",
                "{cluster}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Leave it installed; set a tag on the feature, which brings its state back to Succeeded.",
            run=(
                "az",
                "networkcloud",
                "kubernetescluster",
                "feature",
                "update",
                "-g",
                "{resource_group}",
                "--kubernetes-cluster-name",
                "{cluster}",
                "-n",
                "{feature}",
                "--tags",
                "sync=again",
            ),
            risk=Risk.SAFE,
            verify="the list wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/howto-kubernetes-cluster-features",),
)
