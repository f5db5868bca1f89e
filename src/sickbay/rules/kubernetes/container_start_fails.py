from sickbay.rulekit import SYMPTOM, TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The container runtime (runc) cannot start a container: its cgroup, systemd unit or first process fails",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"applying cgroup configuration for process caused: |unable to apply cgroup configuration: |error creating systemd unit|unable to start unit \S{1,200}\.scope|Timeout waiting for systemd to create|expected cgroupsPath to be of format|can.?t get final child.?s (?:PID|pid) from pipe|getting the final child.s pid from pipe caused|unable to create new parent process|copying bootstrap data to pipe|failed to write .{1,60}? to cgroup\.procs|cgroups?: cgroup mountpoint does not exist|unable to freeze|error starting setns process|can.?t open cgroup: |failed to set rlimit|error setting rlimit|error adding pid \d+ to cgroups|cgroup deleted|runc did not terminate success?fully|open /proc/self/fd: no such file or directory",
            says="runc could not start a container",
            sample='OCI runtime create failed: runc create failed: unable to start container process: unable to apply cgroup configuration: unable to start unit "cri-containerd-1.scope": Connection reset by peer: unknown',
            near_miss="applied cgroup configuration for process 12",
            weight=TYPICAL,
            unless=r"device or resource busy|OOM-killed",
        ),
        Signature(
            pattern=r"OCI runtime create failed|runc create failed|crun: |failed to mount rootfs component",
            says="the runtime could not create a container",
            sample="Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: the teapot is cold: unknown",
            near_miss="containerd: started container",
            weight=SYMPTOM,
        ),
    ),
    why="containerd or CRI-O hand the container to runc, which makes its cgroup with the help of systemd, its mounts and its first process. systemd that does not answer or refuses the unit, a cgroup driver or version that does not suit the node, a memory limit of a few kilobytes, or a node without free process ids and memory make this step fail before the program begins.",
    remedy=(
        Step(
            "Look at systemd and containerd on the node.",
            run=(
                "kubectl",
                "debug",
                "node/{node}",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/base/core:3.0",
                "--",
                "chroot",
                "/host",
                "journalctl",
                "-u",
                "containerd",
                "-u",
                "kubelet",
                "-n",
                "100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Check that the memory limit of the container is not absurdly small, and that kubelet and containerd use the same cgroup driver (systemd).",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If one node is affected, cordon and drain it, and reimage or restart it.",
            run=(
                "kubectl",
                "drain",
                "{node}",
                "--ignore-daemonsets",
                "--delete-emptydir-data",
            ),
            risk=Risk.DISRUPTIVE,
            verify="pods start on the node again",
        ),
    ),
    docs=("https://kubernetes.io/docs/setup/production-environment/container-runtimes/",),
    leads_to=(
        "kubernetes.container_not_running",
        "kubernetes.container_create_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
