from sickbay.model.guards import RuntimeClass
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.unmade import asked_for, lacks_pods, speaks_for_itself
from sickbay.model.workloads import Deployment, ReplicaSet, Workload
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(ReplicaSet)
def set_names_no_class(work: ReplicaSet, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(work, snapshot)


@each(Deployment)
def deployment_names_no_class(work: Deployment, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(work, snapshot) if speaks_for_itself(work, snapshot) else None


def _judge(work: Workload, snapshot: Snapshot) -> Match | Clear | None:
    name = asked_for(work).runtime_class_name
    if not name or not lacks_pods(work):
        return None
    if snapshot.get(kube("RuntimeClass", "", name), RuntimeClass):
        return Clear(f"runtime class {name} exists")
    return Match(
        f"{work.namespace}/{work.name} lacks pods, and the runtime class {name} that they ask for does not exist",
        facts={"class": name},
        cites=(work.cite("spec.template.spec.runtimeClassName", name),),
    )


RULE = Rule(
    title="A pod asks for a RuntimeClass or runtime handler that is not there",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        set_names_no_class,
        deployment_names_no_class,
        Signature(
            pattern=r'RuntimeClass "(?P<class>[\w.-]+)" not found|no runtime for "(?P<handler>[\w.-]+)" is configured|RuntimeHandler "(?P<other>[\w.-]+)" not supported',
            says="the runtime class of a pod is not there",
            sample='Error creating: pods "cart-1" is forbidden: pod rejected: RuntimeClass "kata-mshv-vm-isolation" not found',
            near_miss="runtimeclass.node.k8s.io/kata-mshv-vm-isolation created",
        ),
        Signature(
            pattern=r"failed to create shim(?: task)?: (?:.{0,60}? )?(?:\"containerd-shim-[\w-]+\": )?(?:file does not exist|not found)|runtime \"io\.containerd\.[\w.-]+\" binary not installed|exec: \"containerd-shim-[\w-]+\": executable file not found|shim error: [\w-]+ not installed on system",
            says="the runtime of a pod is not installed on the node",
            sample='Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: runtime "io.containerd.kata.v2" binary not installed "containerd-shim-kata-v2": file does not exist: unknown',
            near_miss="starting runtime io.containerd.runc.v2",
        ),
    ),
    why="runtimeClassName picks another container runtime (Kata, gVisor, wasm). The RuntimeClass object is missing, or the node of the pod has no handler of that name: only pools with that workload runtime have it.",
    remedy=(
        Step(
            "See the classes.",
            run=(
                "kubectl",
                "get",
                "runtimeclass",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create a pool with the workload runtime, and let the pod run there; or remove runtimeClassName.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--os-sku",
                "AzureLinux",
                "--workload-runtime",
                "KataMshvVmIsolation",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/containers/runtime-class/",
        "https://learn.microsoft.com/azure/aks/use-pod-sandboxing",
    ),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
        "kubernetes.container_creating_stuck",
        "kubernetes.container_start_fails",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl get runtimeclass",
)
