from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A volume cannot be attached or mounted",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"FailedMount\b|FailedMapVolume|MapVolume\.\w+ failed|FailedAttachVolume|MountVolume\.\w+ failed|AttachVolume\.Attach failed|SmbGlobalMapping failed|[Uu]nable to (?:attach or )?mount volumes|special device \S{3,300}/globalmount does not exist|has not been added to the list of VolumesInUse|durationBeforeRetry [1-9]\d*m.{0,40}?Volume not attached according to node status|GRPC error: .{0,120}Mount failed with error|aka\.ms/blobmounterror|\bmount error\(\d{1,3}\): ",
            says="a volume could not be attached or mounted",
            sample="Warning  FailedMount  2m  kubelet  Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data]: timed out waiting for the volume",
            near_miss='Normal  SuccessfulAttachVolume  2m  attachdetach-controller  AttachVolume.Attach succeeded for volume "pvc-1"',
            weight=SYMPTOM,
            # No container starts before all volumes of its pod are there. So only a description of
            # one pod says it: in a list of events the start may be that of another.
            ended_by=r"\bkubelet\s+Started container\b|\battachdetach-controller\s+AttachVolume\.Attach succeeded",
        ),
    ),
    why="A pod starts only when all its volumes are attached to its node and mounted; the event that carries the storage driver's own error says which step failed and why.",
    remedy=(
        Step(
            "Read the storage driver's message.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Mend the disk, share, key or network that it names.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
    ),
    leads_to=("kubernetes.container_creating_stuck",),
)
