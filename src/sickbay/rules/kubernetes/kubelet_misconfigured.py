from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubelet of a node does not start: its configuration or the host does not suit it",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        Signature(
            pattern=r'(?i)kubelet cgroup driver: .{1,40}? is different from|running with swap on is not supported|failed to load kubelet config file|failed to parse kubelet flag|kubelet.{0,200}?unknown flag: (?P<flag>--[\w-]+)|server\.go:\d+\] .{0,40}?unknown flag: (?P<gone>--[\w-]+)|kubelet is configured to not run on a host using cgroup v1|cgroup v1 support is unsupported|failed to run kubelet.{0,60}?(?:unable to load bootstrap kubeconfig|misconfiguration|could not init cloud provider|invalid|validate)|CRI v1 runtime API is not implemented for endpoint|unknown service runtime\.v1\.(?:Runtime|Image)Service|"Failed to start ContainerManager"|Failed to start ContainerManager|failed to validate kubelet (?:flags|configuration)|unrecognized feature gate: (?P<gate>\w+)|cgroup hierarchy not unified|failed to find subsystem mount for required subsystem|--cgroups-per-qos enabled, but --cgroup-root was not specified',
            says="the kubelet refuses to start",
            sample='E0902 06:44:12.201134    8812 server.go:302] "Failed to run kubelet" err="failed to run Kubelet: misconfiguration: kubelet cgroup driver: \\"systemd\\" is different from docker cgroup driver: \\"cgroupfs\\""',
            near_miss='I0902 06:44:12.201134    8812 server.go:417] "Kubelet version" kubeletVersion="v1.30.3"',
            passes=True,
        ),
        Signature(
            pattern=r"\[kubelet-check\] It seems like the kubelet isn.t running or healthy|\[kubelet-check\] The kubelet is not healthy after|:10248/healthz.{0,160}?connection refused|\[ERROR FileContent--proc-sys-net|bridge-nf-call-iptables (?:does not exist|contents are not set)|ip_forward contents are not set to 1|The kubelet is unhealthy due to a misconfiguration of the node",
            says="kubeadm waited in vain for the kubelet",
            sample="[kubelet-check] It seems like the kubelet isn't running or healthy.",
            near_miss="[kubelet-check] The kubelet is healthy after 501.2 milliseconds",
            weight=TYPICAL,
        ),
        Signature(
            # Only that it ends, not why.
            pattern=r"\bkubelet\.service: (?:Failed with result '(?:exit-code|start-limit-hit)'|(?:Main|Control) process exited, code=exited, status=[1-9]|Start request repeated too quickly)|Failed to start (?:Kubelet\.|kubelet\.service|kubelet: The Kubernetes Node Agent)",
            says="systemd reports that the kubelet ended",
            sample="systemd[1]: kubelet.service: Failed with result 'exit-code'.",
            near_miss="systemd[1]: kubelet.service: Deactivated successfully.",
            weight=TYPICAL,
            vague=True,
            ended_by=r"Started (?:Kubelet|kubelet)",
        ),
    ),
    why="The kubelet checks itself and its host at the start and ends if something does not fit: a cgroup driver or version that differs from that of the runtime, swap, kernel settings that are not made (ip_forward, bridge-nf-call-iptables), a configuration file or flag that this version does not know, or a runtime that does not speak its interface. The node then never becomes ready.",
    remedy=(
        Step(
            "Read the first error of the kubelet on the node.",
            run=(
                "journalctl",
                "-u",
                "kubelet",
                "--no-pager",
                "-n",
                "100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct what it names; on a managed node undo the change that was made by hand and put a fresh image on it.",
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
            verify="kubectl get nodes wants Ready",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/command-line-tools-reference/kubelet/",
        "https://kubernetes.io/docs/setup/production-environment/container-runtimes/",
    ),
    leads_to=(
        "kubernetes.node_not_ready",
        "kubernetes.condition_timeout",
        "kubernetes.kubelet_silent",
        "kubernetes.control_plane_not_started",
    ),
    ask="journalctl -u kubelet --no-pager -n 100",
)
