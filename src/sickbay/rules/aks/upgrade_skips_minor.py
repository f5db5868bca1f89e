from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="This Kubernetes version cannot be reached: the upgrade would skip a minor version, or go back",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)upgrad(?:ing|e) (?:Kubernetes|agent ?pool|node ?pool|orchestrator) version (?:from )?'?(?P<from>[\d.]+)'? to '?(?P<to>[\d.]+)'? is not allowed|(?:kubernetes|version) upgrade from '?(?P<old>[\d.]+)'? to '?(?P<new>[\d.]+)'? is not (?:allowed|supported)|(?:skipping|skips?|cannot skip) (?:a )?minor (?:Kubernetes )?versions?",
            says="the upgrade[ from {from} to {to}][ from {old} to {new}] is not allowed",
            sample="Upgrading Kubernetes version 1.24.9 to 1.26.6 is not allowed. Available upgrades: [1.25.11 1.25.15]. For more information, see AKS supported Kubernetes versions for version details.",
            near_miss="Upgrading Kubernetes version 1.24.9 to 1.25.11 is allowed",
            # The version of a pool that leaves the window of the control plane has a code of its own.
            unless=r"AgentPoolUpgradeVersionNotAllowed",
        ),
    ),
    why="The control plane moves one minor version at a time, unless the version that it is on is out of support, and never back to an older one. The message lists the versions that can be reached from here.",
    remedy=(
        Step(
            "See the versions that can be reached.",
            run=(
                "az",
                "aks",
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
            "Upgrade minor by minor.",
            run=(
                "az",
                "aks",
                "upgrade",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--kubernetes-version",
                "<next-minor>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query currentKubernetesVersion wants the version",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/aks-upgrade-blocked",
        "https://learn.microsoft.com/azure/aks/upgrade-aks-cluster",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks get-upgrades -g {resource_group} -n {cluster} -o json",
)
