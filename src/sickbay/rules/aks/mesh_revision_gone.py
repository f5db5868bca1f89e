from sickbay.model.guards import Namespace
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each

_SYSTEM = "aks-istio-system"
_PLANE = "istiod-"


@each(Namespace)
def follows_no_revision(namespace: Namespace, snapshot: Snapshot) -> Match | Clear | None:
    revision = namespace.labels.get("istio.io/rev", "")
    if not revision.startswith("asm-"):
        return None
    planes = [
        deployment.name.removeprefix(_PLANE)
        for deployment in snapshot.all(Deployment, within=_SYSTEM)
        if deployment.name.startswith(_PLANE)
    ]
    if not planes or revision in planes:
        return Clear(f"revision {revision} of namespace {namespace.name} is installed")
    return Match(
        f"namespace {namespace.name} asks for revision {revision}, and installed is {', '.join(sorted(planes))}",
        facts={"revision": max(planes)},
        cites=(namespace.cite("metadata.labels", f"istio.io/rev={revision}"),),
    )


RULE = Rule(
    title="A namespace asks for a mesh revision that is no longer installed, so its pods get no sidecar",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.CONNECTIVITY,
    ),
    detect=(follows_no_revision,),
    why="The label istio.io/rev of a namespace picks the control plane that injects the sidecar. The revision was removed when an upgrade was completed or rolled back, nobody relabelled the namespace, and new pods run outside of the mesh.",
    remedy=(
        Step(
            "See revisions and labels.",
            run=(
                "kubectl",
                "get",
                "namespaces",
                "-L",
                "istio.io/rev",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Relabel the namespace.",
            run=(
                "kubectl",
                "label",
                "namespace",
                "{name}",
                "istio.io/rev={revision}",
                "--overwrite",
            ),
        ),
        Step(
            "Restart its workloads, so that they get the sidecar.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment",
                "-n",
                "{name}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n {name} shows 2/2 READY",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-minor-revision-upgrade",
    ),
)
