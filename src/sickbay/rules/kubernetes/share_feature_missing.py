from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program needs hard links or symbolic links, which its file share does not have (Azure Files by SMB)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"could not link file .{0,200}?: (?:Operation not supported|Operation not permitted)|(?:EOPNOTSUPP|ENOTSUP|EPERM|EIO): .{0,60}?, (?P<call>symlink|link) '|ln: failed to create (?:symbolic|hard) link .{0,300}?: (?:Operation not supported|Operation not permitted|Not supported)|cannot create (?:hard|symbolic) link .{0,200}?Operation not supported",
            says="the file system makes no links[: {call}]",
            sample='LOG:  could not link file "pg_wal/xlogtemp.36" to "pg_wal/000000010000000000000001": Operation not supported',
            near_miss='LOG:  linked file "pg_wal/xlogtemp.36"',
            weight=TYPICAL,
        ),
    ),
    why="Azure Files by SMB has no hard links at all, symbolic links only with the mount option `mfsymlinks`, and fixed owners and modes. Databases, package managers and Git need them, so they end on such a share (blobfuse has none either). A disk, or a share by NFS, has them.",
    remedy=(
        Step(
            "See which class the volume is from.",
            run=(
                "kubectl",
                "get",
                "pv",
                "-o",
                "custom-columns=NAME:.metadata.name,DRIVER:.spec.csi.driver,CLASS:.spec.storageClassName,OPTIONS:.spec.mountOptions",
            ),
            risk=Risk.READ,
        ),
        Step(
            "For symbolic links, add mfsymlinks to the mount options of class and volume.",
        ),
        Step(
            "For a database or hard links, move the data to a disk (managed-csi) or to a share by NFS.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl logs {pod} -n {namespace} shows no such error",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/storage/files/files-smb-protocol",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl get pv -o yaml",
)
