from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A progressive delivery took the new version back: its analysis failed (Argo Rollouts, Flagger)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"Rollout(?:Aborted: Rollout)? aborted update to revision (?P<revision>\d+)|Metric \"(?P<metric>[^\"]{1,100})\" assessed (?:Failed|Error|Inconclusive) due to|Rolling back (?P<canary>[\w.-]{1,200}) (?:failed checks|progress deadline)|Canary failed! Scaling down",
            says="the analysis of a new version failed",
            sample='RolloutAborted: Rollout aborted update to revision 5: Metric "success-rate" assessed Failed due to failed (3) > failureLimit (2)',
            near_miss="Rollout completed update to revision 5 (6c5d9f7b8): Completed all 4 canary steps",
        ),
    ),
    why="The controller measures the new version by its analysis template or metric checks and takes it back after too many failed measurements. Either the new version is worse than allowed, its pods do not become ready, or the measurement itself fails: no traffic, a query without a result, or a metrics server that does not answer.",
    remedy=(
        Step(
            "See what was measured, and why it was judged so.",
            run=("kubectl", "get", "analysisruns,canaries", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Send traffic during the analysis (a load test) and run its query by hand; a query without values counts as a failure.",
        ),
        Step(
            "Mend the new version or the threshold, and start again.",
            run=(
                "kubectl",
                "argo",
                "rollouts",
                "retry",
                "rollout",
                "<rollout>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl argo rollouts get rollout <rollout> -n {namespace} wants Healthy",
        ),
    ),
    docs=(
        "https://argo-rollouts.readthedocs.io/en/stable/features/analysis/",
        "https://docs.flagger.app/usage/how-it-works",
    ),
    leads_to=("kubernetes.condition_timeout", "kubernetes.rollout_stuck"),
    ask="kubectl get analysisruns,canaries -n {namespace} -o yaml",
)
