from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An earlier attempt on the same volume still runs (operation with the given Volume ID already exists)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)An operation with the given Volume (?:ID )?.{0,300}?already exists|volume .{0,200}?operation .{0,40}?already (?:in progress|exists)",
            says="a volume operation is still under way",
            sample='MountVolume.MountDevice failed for volume "pv-blob" : rpc error: code = Aborted desc = An operation with the given Volume ID mc_rg#account#data already exists',
            near_miss='MountVolume.MountDevice succeeded for volume "pv-blob"',
            weight=SYMPTOM,
        ),
    ),
    why="The driver does one thing at a time for a volume and refuses the next try while the first hangs; what makes the first hang (a blocked port, a throttled API, a large change of ownership) is the cause.",
    remedy=(
        Step(
            "Read the log of the driver on the node of the pod.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "app=csi-blob-node",
                "-c",
                "blob",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what the first attempt waits for.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/mounting-azure-blob-storage-container-fail",
    ),
    leads_to=("kubernetes.mount_failed",),
)
