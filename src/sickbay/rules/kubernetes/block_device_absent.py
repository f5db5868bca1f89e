from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A raw block volume is not there as a device when its container is made (not a device node)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"failed to generate (?:container \S{1,100} )?spec: .{0,60}?not a device node",
            says="the device of a volume is no device",
            sample='Error: failed to generate container "75b68b8badec" spec: failed to generate spec: not a device node',
            near_miss='Error: failed to generate container "75b68b8badec" spec: failed to generate spec: failed to stat "/mnt/data"',
        ),
    ),
    why="A claim with volumeMode Block is given to the container as a device, and a hostPath or device of a container has to be one. After a reboot of the node the kubelet still holds the old place of the device, the disk is not attached (yet), or a folder lies at that path.",
    remedy=(
        Step(
            "See whether the volume is attached to the node of the pod.",
            run=("kubectl", "get", "volumeattachments"),
            risk=Risk.READ,
        ),
        Step(
            "Delete the pod, so that its volume is attached and mapped anew.",
            run=("kubectl", "delete", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#raw-block-volume-support",
    ),
    leads_to=("kubernetes.container_create_fails",),
    ask="kubectl get volumeattachments -o json",
)
