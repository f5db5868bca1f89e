from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod was ended to make room for one of higher priority (preempted)",
    severity=Severity.WARNING,
    categories=(Category.SCALING, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"Preempted(?: default-scheduler|: )? ?Preempted by (?:pod )?(?P<by>[\w./-]+) on node (?P<node>[\w.-]+)|Preempted by (?:a )?pod (?P<winner>[\w./-]+) on node (?P<place>[\w.-]+)|Preempted in order to admit critical pod",
            says="a pod was ended so that one of higher priority gets its place",
            sample="Warning  Preempted  4m  default-scheduler  Preempted by pod 7e0c1f2a-aaaa-bbbb-cccc-0123456789ab on node aks-np1-1-vmss000003",
            near_miss="0/3 nodes are available: 3 No preemption victims found for incoming pod.",
        ),
    ),
    why="No node had room for a pod of higher priority, so the scheduler ended pods of lower priority. It is meant so; but pods that come and go in this way show that the nodes together are too small for all that shall run.",
    remedy=(
        Step("See the priorities.", run=("kubectl", "get", "priorityclasses"), risk=Risk.READ),
        Step("Add nodes (or raise the maximum of the autoscaler), or lower requests."),
        Step(
            "Give what must not be ended a higher priority, or set preemptionPolicy Never at the other class.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get events -A --field-selector reason=Preempted lists nothing new",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/",),
    leads_to=("kubernetes.pod_evicted",),
    ask="kubectl get priorityclasses",
)
