from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A container cannot be made or started by the runtime (CreateContainerError, RunContainerError)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) \d+/\d+ (?:Init:)?(?P<state>RunContainerError|CreateContainerError) \d+ ",
            says="pod {pod} is in state {state}",
            sample="NAME READY STATUS RESTARTS AGE\ncart-7d9f8b6c5-x2x4q   0/1     RunContainerError   2 (14s ago)   40s",
            near_miss="NAME READY STATUS RESTARTS AGE\ncart-7d9f8b6c5-x2x4q   0/1     ContainerCreating   0   40s",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"failed to generate (?:container \S{1,100} )?spec: failed to (?:generate spec: failed to )?stat (?P<path>\S{3,300}?):? ",
            says="a path that is to be mounted into a container is not there",
            sample='Error: failed to generate container "fb0fe39ae2a6" spec: failed to generate spec: failed to stat "/var/lib/kubelet/pods/a02f/volumes/kubernetes.io~csi/pv-x/mount": stat /var/lib/kubelet/pods/a02f/volumes/kubernetes.io~csi/pv-x/mount: no such file or directory',
            near_miss='Created container: generated container "fb0fe39ae2a6" spec',
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"^(?P<state>RunContainerError|CreateContainerError)\b",
            says="a container does not start ({state})",
            sample="RunContainerError",
            near_miss="the last RunContainerError was a week ago",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"failed to (?:create|start) containerd task: (?:failed to (?:create|start) shim(?: task)?: )?context deadline exceeded|\bFailed \S{1,40} (?:\(x\d+ over \S{1,12}\) )?kubelet(?:, \S{1,80})? Error: context deadline exceeded\b",
            says="the runtime did not make or start a container in time",
            sample="Reason: StartError Message: failed to create containerd task: context deadline exceeded: unknown",
            near_miss="Normal Created 3s kubelet Created container web",
            weight=SYMPTOM,
        ),
    ),
    why="The image is on the node and the settings exist, but the runtime refuses to make or to start the container: its command is not in the image, a mount, device, user or security profile does not fit, or its name is still taken; or it does not get done in time on a node whose disk or CPU is exhausted. The event Failed of the pod quotes the runtime.",
    remedy=(
        Step(
            "Read what the runtime said.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Mend the command, mount, user or profile that it names, and roll the workload out again.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/",),
    leads_to=(
        "kubernetes.rollout_stuck",
        "kubernetes.service_no_endpoints",
        "kubernetes.container_not_running",
    ),
)
