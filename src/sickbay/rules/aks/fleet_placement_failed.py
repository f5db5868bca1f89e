from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Fleet Manager could not place resources on member clusters (ClusterResourcePlacement not scheduled or applied)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"\bSchedulingPolicyUnfulfilled\b|\bManifestsAlreadyOwnedByOthers\b|(?i:could not find all the clusters needed as specified by the scheduling policy)|(?i:not managed by the fleet controller)|\bClusterResourcePlacement(?:Scheduled|Applied|Available|Overridden|WorkSynchronized|RolloutStarted)\b\W{1,40}(?i:status\W{1,4})?False|\b(?:NotAllWorkHaveBeenApplied|NotAllWorkAreAvailable|ApplyFailed|FailedApplyOverridden|OverriddenFailed)\b.{0,300}?(?i:placement|fleet|member)",
            says="a placement of the fleet is not fulfilled",
            sample="message: could not find all the clusters needed as specified by the scheduling policy reason: SchedulingPolicyUnfulfilled status: False type: ClusterResourcePlacementScheduled",
            near_miss="message: found all cluster needed as specified by the scheduling policy reason: SchedulingPolicyFulfilled status: True type: ClusterResourcePlacementScheduled",
            weight=TYPICAL,
        ),
    ),
    why="A ClusterResourcePlacement chooses member clusters by count, names, labels and taints, and its work agent applies the resources there. It stays unfulfilled when too few members match or are healthy; it is not applied when the resource exists on the member and belongs to somebody else, or another placement owns it.",
    remedy=(
        Step(
            "See the conditions of the placement, for each cluster.",
            run=("kubectl", "describe", "clusterresourceplacement", "<placement>"),
            risk=Risk.READ,
        ),
        Step(
            "See labels, taints and health of the members.",
            run=("kubectl", "get", "memberclusters", "--show-labels"),
            risk=Risk.READ,
        ),
        Step(
            "Lower numberOfClusters, correct the label selector or the member's taints; or delete the existing object on the member, or allow co-ownership in applyStrategy."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/kubernetes-fleet/concepts-resource-propagation",),
    ask="kubectl describe clusterresourceplacement <placement>",
)
