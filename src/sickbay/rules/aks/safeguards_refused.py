from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Deployment safeguards cannot be set: a lock, the state of the cluster, or an invalid level or namespace list",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)deployment ?safeguards?.{0,300}?(?:failed|cannot|can't|not (?:allowed|supported|valid)|invalid|error|locked|suspended|requires)|az aks safeguards.{0,200}?(?:error|failed)",
            says="deployment safeguards were refused",
            sample="(BadRequest) Deployment Safeguards requires Kubernetes version 1.25 or later, the cluster version is 1.24.9.",
            near_miss="Deployment Safeguards level is set to Warn.",
            weight=TYPICAL,
            unless=r"ScopeLocked|scope\(s\) are locked|admission webhook",
        ),
    ),
    why="Safeguards are Azure policies on the cluster: setting them needs the policy add-on, Kubernetes 1.25 or newer, a running cluster, no lock on its group, and a level of Warn or Enforce.",
    remedy=(
        Step(
            "See the present setting.",
            run=(
                "az",
                "aks",
                "safeguards",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct what the message names, then set it again.",
            run=(
                "az",
                "aks",
                "safeguards",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--level",
                "Warn",
            ),
            verify="az aks safeguards show wants the level",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/deployment-safeguards-in-azure-kubernetes-service",
    ),
    leads_to=("aks.operation_failed",),
    ask="az aks safeguards show -g {resource_group} -n {cluster}",
)
