from sickbay.model.arc import AGENT_NAMESPACE
from sickbay.model.guards import Namespace
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Namespace)
def is_terminating(namespace: Namespace, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if namespace.name != AGENT_NAMESPACE:
        return None
    if namespace.status.phase != "Terminating":
        return Clear(f"{namespace.name} is {namespace.status.phase or 'Active'}")
    since = namespace.metadata.deletion_timestamp
    return Match(
        f"{namespace.name} is Terminating" + (f" since {since}" if since else ""),
        cites=(namespace.cite("status.phase", namespace.status.phase),),
    )


RULE = Rule(
    title="The azure-arc namespace of an earlier onboarding is still terminating",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        is_terminating,
        Signature(
            pattern=r"(?i)Namespace '?azure-arc'? (?:is )?still in terminating state|namespaces? \"?azure-arc\"? .{0,40}?(?:is being terminated|being terminated|is terminating)",
            says="the namespace azure-arc is terminating",
            sample="Namespace 'azure-arc' still in terminating state. Please ensure that you delete the 'azure-arc' namespace before onboarding the cluster again.",
            near_miss="Namespace 'azure-arc' was deleted",
        ),
    ),
    why="A namespace in the state Terminating waits for the finalizers of what is in it. Until azure-arc is gone, the cluster cannot be onboarded again.",
    remedy=(
        Step(
            "See what holds it.",
            run=(
                "kubectl",
                "get",
                "namespace",
                "azure-arc",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the objects whose finalizers are left, and wait until the namespace is gone.",
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get namespace azure-arc wants NotFound",
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
    leads_to=("arc.connection_failed",),
)
