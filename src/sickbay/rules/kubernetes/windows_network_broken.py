from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The network service of a Windows node (HNS) is in a broken state, so pods get no network there",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?i:Unable to find HNS Network (?:specified|speficied) by)|HNS failed with error ?: ?(?P<reason>[\w ]{3,80})|\b(?:hnsCall|[Hh]cn\w+) failed in Win32: (?P<code>[\w ,.()]{3,80})|CreateComputeSystem.{0,200}?operation for attach namespace failed",
            says="the host network service refuses the network of a pod",
            sample='Failed create pod sandbox: NetworkPlugin cni failed to set up pod "api-7f_shop" network: Failed to create endpoint: HNS failed with error : Element not found.',
            near_miss="failed to remove network endpoint, already gone: hcnDeleteEndpoint failed in Win32: Element not found. (0x490)",
            weight=TYPICAL,
            unless=r"hcnDelete\w+ failed in Win32: Element not found",
            passes=True,
        ),
        Signature(
            pattern=r"Failed to initialize key-value store of network plugin(?:, err)?: ?(?:timed out locking store|Store is locked)",
            says="the state file of the Azure network plugin stays locked",
            sample="[8076] Failed to initialize key-value store of network plugin, err:timed out locking store.",
            near_miss="Initialized key-value store of network plugin",
            weight=TYPICAL,
        ),
    ),
    why="On Windows the host network service makes the endpoint of each pod. When the network that it belongs to is gone, or a call to the service hangs while the Azure CNI plugin holds its lock, every new pod of that node fails the same way while pods that run go on. Nothing in the pod's definition causes it.",
    remedy=(
        Step(
            "See whether only one node is affected.",
            run=(
                "kubectl",
                "get",
                "events",
                "-A",
                "--field-selector",
                "reason=FailedCreatePodSandBox",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Keep new pods away from that node, and restart or reimage its machine.",
            run=("kubectl", "cordon", "{node}"),
            risk=Risk.DISRUPTIVE,
            verify="new pods on the node become Running",
        ),
        Step("Where it returns, upgrade the node image of the Windows pool."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/windows-server/containers/troubleshoot-kubernetes-windows-container",
    ),
    leads_to=("kubernetes.container_creating_stuck",),
    ask="kubectl get events -A --field-selector reason=FailedCreatePodSandBox -o wide",
)
