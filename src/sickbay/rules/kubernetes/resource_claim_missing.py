from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(Pod, TYPICAL)
def waits_for_claim(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    claims = pod.spec.resource_claims or ()
    if not claims or pod.status.phase != "Pending" or pod.metadata.deletion_timestamp:
        return None
    # The scheduler does not even look at it before all claims are there.
    if pod.spec.node_name or pod.status.conditions:
        return Clear(f"the resource claims of {pod.namespace}/{pod.name} are there")
    named = next((one for one in claims if one.resource_claim_name), claims[0])
    name = named.resource_claim_name or f"from template {named.resource_claim_template_name}"
    return Match(
        f"{pod.namespace}/{pod.name} waits for its resource claim {name}",
        facts={"claim": named.resource_claim_name or "<claim>"},
        cites=(pod.cite(f"spec.resourceClaims[{named.name}]", name),),
    )


RULE = Rule(
    title="A pod waits for a resource claim (of a GPU or another device) that does not exist",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.SCALING),
    detect=(waits_for_claim,),
    why="A pod that names resource claims is not shown to the scheduler before every one of them exists in its namespace: it stays Pending without a condition and without an event.",
    remedy=(
        Step(
            "See which claims and templates there are.",
            run=("kubectl", "get", "resourceclaims,resourceclaimtemplates", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Create the claim {claim}, or correct its name in the pod.",
            verify="kubectl get pod {pod} -n {namespace} shows a NODE",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",),
    leads_to=("kubernetes.pod_pending", "kubernetes.rollout_stuck"),
    ask="kubectl get resourceclaims -n {namespace}",
)
