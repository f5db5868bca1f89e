from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program lacks a Linux capability or root in its container (Operation not permitted)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)failed switching to \S{1,60}: operation not permitted|set(?:e?[ug]id|groups|resuid|resgid)\S{0,20} failed \(1: Operation not permitted\)|can.t set (?:groups|[ug]id): Operation not permitted|ping: (?:socket|permission denied|Lacking privilege)[^/]{0,40}|Unable to mount BPF filesystem|failed to (?:load|create) (?:BPF|eBPF).{0,120}?(?:operation not permitted|permission denied)|open /dev/\w+: (?:operation not permitted|permission denied)|unshare\w*: Operation not permitted|sudo: .{0,80}?(?:no new privileges|effective uid is not 0)|RTNETLINK answers: Operation not permitted|mount: .{0,120}?(?:permission denied|must be superuser)|Could not fetch rule set generation id: Permission denied|you must be root\)|Unable to apply new capability set|setcap: .{0,60}?Operation not permitted|sysctl: .{0,100}?(?:Read-only file system|permission denied)",
            says="a program was refused a privileged operation",
            sample='error: failed switching to "postgres": operation not permitted',
            near_miss="switched to user postgres",
            weight=TYPICAL,
            unless=r"istio-init|istio-iptables|linkerd-init|proxy-init|osm-init|iptables-|MountVolume|mount\.nfs|mount error|kubelet|blobfuse|/dev/fuse",
        ),
    ),
    why="The container runs as a user without root, with dropped capabilities, with allowPrivilegeEscalation false or without privileged. Switching user (gosu, su, setgid needs SETUID and SETGID), raw sockets (NET_RAW), iptables (NET_ADMIN), BPF, mounts and devices are then refused with `Operation not permitted`.",
    remedy=(
        Step(
            "See securityContext of pod and container.",
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
            "Use an image that runs as its own user without switching, or add just the capability that it needs (SETUID, SETGID, NET_RAW, NET_ADMIN), as far as the Pod Security level of the namespace allows.",
            risk=Risk.DISRUPTIVE,
            verify="the program starts",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/configure-pod-container/security-context/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
