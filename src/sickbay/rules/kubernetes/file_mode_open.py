from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program refuses a key or cookie file whose mode is too open (must be accessible by owner only)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?:Cookie file|cookie file) \S{1,200} must be accessible by owner only|must be accessible by owner only|UNPROTECTED PRIVATE KEY FILE|Permissions 0?\d{3,4} for .{1,200}? are too open|private key file \S{1,200} has group or world access|permissions (?:on|\d{3,4} for) \S{1,200} are too open|bad permissions: ignore key",
            says="a secret file is readable by others",
            sample="[error] Cookie file /var/lib/rabbitmq/.erlang.cookie must be accessible by owner only",
            near_miss="[info] reading cookie file /var/lib/rabbitmq/.erlang.cookie",
        ),
        Signature(
            pattern=r"(?:key|keyFile|password) ?file .{0,200}?(?:too open|group or world|world.?readable)|bad ownership or modes for",
            says="a key file or its folder is open to others",
            sample="Authentication refused: bad ownership or modes for directory /home/app/.ssh",
            near_miss="Authentication refused: no key offered",
            weight=TYPICAL,
        ),
    ),
    why="SSH, PostgreSQL, RabbitMQ (Erlang), MongoDB and others use a secret file only if nobody but its owner may read it (mode 0600 or 0400). A secret volume has mode 0644, or 0440 with fsGroup, and a file share gives every file the mode of its mount options.",
    remedy=(
        Step(
            "See the volumes, defaultMode, fsGroup and runAsUser of the pod.",
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
            "Set defaultMode: 0400 on the secret volume and drop fsGroup for it, or copy the file in an init container and chmod 600 it there; on a share set file_mode=0600 and the uid of the program in the mount options.",
            risk=Risk.DISRUPTIVE,
            verify="the program starts",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/configuration/secret/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
