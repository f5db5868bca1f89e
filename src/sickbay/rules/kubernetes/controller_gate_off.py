from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An object uses a field whose feature gate is off in its controller (FeatureGateDisabled)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"please enable the (?P<gate>\w{3,80}) feature gate in the controller|\bFeatureGateDisabled\b",
            says="the controller does not act on the object while the feature gate[ {gate}] is off",
            sample="reason: FeatureGateDisabled message: to use spec.serviceAccountName for provider authentication please enable the ObjectLevelWorkloadIdentity feature gate in the controller",
            near_miss="the feature gate ObjectLevelWorkloadIdentity is enabled in the controller",
        ),
    ),
    why="Controllers such as those of Flux keep fields behind feature gates, which are arguments of the controller and not of the object. Until the gate is on, the object is stalled, whatever else is right about it.",
    remedy=(
        Step(
            "See the arguments of the controllers.",
            run=("kubectl", "get", "deployments", "-n", "flux-system", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Start the controller with --feature-gates=<gate>=true (a patch of the Flux installation, or a setting of the extension), or leave the field out.",
            verify="the object is Ready",
        ),
    ),
    docs=("https://fluxcd.io/flux/installation/configuration/workload-identity/",),
    ask="kubectl get deployments -n flux-system -o yaml",
)
