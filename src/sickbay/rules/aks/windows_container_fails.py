from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Windows cannot create the container: its host compute service (HCS, hcsshim) fails on the node",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)hcs::CreateComputeSystem.{0,120}?: (?P<reason>[A-Z][^:]{4,120}?)\.?: unknown|hcsshim::\w+(?:::\w+)? ?-? .{0,60}?failed in Win32: (?P<code>[^()]{3,80})|hcsshim::(?:PrepareLayer|ActivateLayer|ImportLayer|CreateProcess|CreateScratchLayer)\b.{0,120}?(?:fail|error)|compute system exited unexpectedly|(?:hcs|hcsshim)::CreateComputeSystem\b.{0,160}?: The request is not supported|failure in a Windows system call: ",
            says="the host compute service refused the container[: {reason}][: {code}]",
            sample="failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web--cid--1 : Access is denied.: unknown",
            near_miss="hcsshim: compute system web--cid--1 was created",
            weight=TYPICAL,
            unless=r"(?i)attach namespace failed|HNS failed|does not match the (?:host|operating system)|incompatible with a|cannot find the file specified",
        ),
        Signature(
            pattern=r"\b(?:hcs|hcsshim)::CreateComputeSystem\b",
            says="the host compute service did not make the container",
            sample="hcsshim::CreateComputeSystem web: The virtual machine or container exited unexpectedly.",
            near_miss="hcsshim: compute system web was created",
            weight=TYPICAL,
            unless=r"(?i)attach namespace failed|HNS failed|does not match the (?:host|operating system)|incompatible with a|cannot find the file specified",
            vague=True,
        ),
    ),
    why="On Windows containerd hands a container to the host compute service. It fails when its layers are locked by an antivirus or by many starts at once (device is not ready), when the working directory or a mount path does not exist in the image, when the base image is older or newer than the host, or after a defective Windows update.",
    remedy=(
        Step(
            "See image, command and working directory of the pod, and its node.",
            run=("kubectl", "describe", "pod", "{pod}", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Use a base image of the node's Windows version (ltsc2019 on Windows2019, ltsc2022 on Windows2022), paths with drive letters that exist in it, and exclude containerd's folders from antivirus scans."
        ),
        Step(
            "Replace the node image, which carries the fixes of Windows.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -o wide shows the pod Running",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/windows-faq",),
    leads_to=("kubernetes.crash_loop", "kubernetes.container_creating_stuck"),
    ask="kubectl describe pod {pod} -n {namespace}",
)
