from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Signature, Step, each

_OVER = frozenset({"Succeeded", "Failed"})


@each(Pod, SYMPTOM)
def is_restarted_again(pod: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    looping = [c for c in pod.statuses if c.loops] if pod.status.phase not in _OVER else []
    for container in looping:
        return Match(
            f"container {container.name} of {pod.namespace}/{pod.name} is in CrashLoopBackOff after {container.restart_count or 0} restarts",
            facts={"container": container.name},
            cites=(
                pod.cite(
                    f"status.containerStatuses[{container.name}].restartCount",
                    container.restart_count,
                ),
            ),
        )
    return None


RULE = Rule(
    title="A container ends again and again (CrashLoopBackOff)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        is_restarted_again,
        Signature(
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) \d+/\d+ (?P<state>Init:Error|Init:StartError|StartError) \d+ ",
            says="pod {pod} is in state {state}",
            sample="NAME READY STATUS RESTARTS AGE\ncart-7d9f8b6c5-x2x4q   0/1     Init:Error   2 (14s ago)   40s",
            near_miss="NAME READY STATUS RESTARTS AGE\ncart-7d9f8b6c5-x2x4q   0/1     Init:0/1   0   40s",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"CrashLoopBackOff",
            says="a container is in CrashLoopBackOff",
            sample="web-7d9f8b6c5-x2x4q   0/1     CrashLoopBackOff   12         30m",
            near_miss="web-7d9f8b6c5-x2x4q   1/1     Running   12 (3d ago)         30d",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"[Bb]ack-off (?:\w+ )?restarting failed container",
            says="the kubelet waits longer and longer before it restarts a container",
            sample="Back-off restarting failed container app in pod cart-7d9_shop(0f1e2d3c-aaaa-bbbb-cccc-0123456789ab)",
            near_miss='Back-off pulling image "contoso.azurecr.io/cart:v9"',
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) \d+/\d+ (?:Running|Error|Completed) (?:[5-9]|\d{2,}) \((?:\d+s|1?\dm(?:\d+s)?) ago\)",
            says="pod {pod} was restarted many times, and just now",
            sample="NAME READY STATUS RESTARTS AGE\ncart-6c5d9f7b8-2xk4q   1/1   Running   14 (2m ago)   3h",
            near_miss="NAME READY STATUS RESTARTS AGE\ncart-6c5d9f7b8-2xk4q   1/1   Running   14 (2d ago)   30d",
            weight=SYMPTOM,
        ),
    ),
    why="The kubelet restarts a container that ends, and waits up to five minutes between attempts; why it ends is told by its exit code and its last log, not by CrashLoopBackOff.",
    remedy=(
        Step(
            "See the exit code and reason of the last run.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Read what the last run wrote before it ended.",
            run=("kubectl", "logs", "{pod}", "-n", "{namespace}", "--all-containers", "--previous"),
            risk=Risk.READ,
        ),
        Step(
            "Mend what that names: the memory limit, the command, the configuration or the program.",
            verify="kubectl get pod {pod} -n {namespace} wants READY and a restart count that stands still",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/pod-stuck-crashloopbackoff-mode",
    ),
    leads_to=(
        "network.backend_refuses",
        "network.connection_refused",
        "kubernetes.pdb_blocks_drain",
        "kubernetes.rollout_stuck",
        "kubernetes.service_no_endpoints",
        "kubernetes.release_gave_up",
        "kubernetes.container_not_running",
    ),
)
