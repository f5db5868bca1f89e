from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program writes to a file system that is mounted read-only",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:open|mkdir|touch|create|write|cannot (?:create|touch|open|remove)|rename|chmod|unlink).{0,200}?: read-only file ?system|\bEROFS\b|OSError: \[Errno 30\]",
            says="a write met a read-only file system",
            sample="mkdir: cannot create directory '/app/tmp': Read-only file system",
            near_miss="mkdir: cannot create directory '/app/tmp': Permission denied",
            weight=TYPICAL,
            unless=r"(?i)Remounting filesystem read-only|EXT4-fs|failed to write checkpoint file",
        ),
        Signature(
            pattern=r"attempt to write a readonly database|[Rr]ead-only file ?system \(os error 30\)|java\.\w[\w.]* .{0,80}?[Rr]ead-only file ?system|IOException: Read-only file system",
            says="a program writes to files that it may only read",
            sample="sqlite3.OperationalError: attempt to write a readonly database",
            near_miss="sqlite3: opened /data/app.db read-write",
            weight=TYPICAL,
        ),
        Signature(
            # .NET puts the pipe of its debugger into /tmp, and says no more than this where it cannot.
            pattern=r"Failed to (?:create|initialize) CoreCLR, HRESULT: 0x800(?:04005|7FF06)",
            says=".NET cannot start, mostly because it may not write to /tmp",
            sample="Failed to create CoreCLR, HRESULT: 0x80004005",
            near_miss="CoreCLR created",
            weight=TYPICAL,
        ),
    ),
    why="The container has readOnlyRootFilesystem: true, or the volume is mounted with readOnly; config maps and secrets always are. A .NET program fails so even before its first line (Failed to create CoreCLR) unless DOTNET_EnableDiagnostics is 0 or /tmp can be written. After errors of a disk the kernel mounts it read-only as well, which the node then reports.",
    remedy=(
        Step(
            "See security context and mounts.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.containers[*].securityContext} {.spec.containers[*].volumeMounts}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the program an emptyDir (or a claim) at the path that it writes to.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/",
        "https://kubernetes.io/docs/concepts/storage/volumes/#emptydir",
    ),
    leads_to=(
        "kubernetes.crash_loop",
        "kubernetes.program_fails",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
