from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A claim waits for its first pod: its volume is made when that is scheduled (WaitForFirstConsumer)",
    severity=Severity.INFO,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"waiting for first consumer to be created before binding|\bWaitForFirstConsumer\b .{0,60}?persistentvolume-controller|waiting for pod \S{1,200} to be scheduled|\bWaitForPodScheduled\b",
            says="a claim waits for a pod that uses it",
            sample="Normal  WaitForFirstConsumer  3m (x900 over 2d)  persistentvolume-controller  waiting for first consumer to be created before binding",
            near_miss="managed-csi   disk.csi.azure.com   Delete   WaitForFirstConsumer   true   41d",
            weight=TYPICAL,
            passes=True,
            ended_by=r"ProvisioningSucceeded|Successfully provisioned volume",
        ),
    ),
    why="A storage class with volumeBindingMode WaitForFirstConsumer makes the volume in the zone of the pod, so a claim that no pod uses stays Pending, and that is as it should be. With a pod that uses it, what keeps the pod from being scheduled is the fault to look for; a pod with nodeName is never scheduled and waits for ever.",
    remedy=(
        Step(
            "See whether a pod uses the claim (Used By), and why that pod is not scheduled.",
            run=(
                "kubectl",
                "describe",
                "pvc",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start the workload that uses it, or use a class with volumeBindingMode Immediate; do not set nodeName in the pod.",
            risk=Risk.SAFE,
            verify="kubectl get pvc -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode",),
    ask="kubectl describe pvc -n {namespace}",
)
