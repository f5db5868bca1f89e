from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program may not change owner or mode of its files: an SMB share, or a container without the capability",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:could not change permissions of (?:directory )?\"|chown: (?:changing ownership of|cannot)|chmod: (?:changing permissions of|cannot)|unable to change (?:owner|permissions)|chown\(|failed to chown|chown: /|chmod: /).{0,200}?(?:Operation not permitted|Permission denied)",
            says="a program was refused a change of owner or mode",
            sample='initdb: error: could not change permissions of directory "/var/lib/postgresql/data": Operation not permitted',
            near_miss='initdb: error: could not change permissions of directory "/var/lib/postgresql/data": No such file or directory',
            weight=TYPICAL,
        ),
    ),
    why="On an Azure Files share by SMB (CIFS) the owner and mode of all files come from the mount options, and chmod or chown answer Operation not permitted; databases such as PostgreSQL insist on their own mode and stop. A container without the capability CHOWN prints the same on any volume.",
    remedy=(
        Step(
            "See which driver serves the volume.",
            run=(
                "kubectl",
                "get",
                "pv",
                "-o",
                "custom-columns=NAME:.metadata.name,DRIVER:.spec.csi.driver,CLAIM:.spec.claimRef.name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Put such data on an Azure disk (with a subPath for the data directory) or on a share by NFS.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or, where the container drops its capabilities (securityContext.capabilities.drop), let the kubelet set the group instead: securityContext.fsGroup of the pod.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Or set uid, gid, dir_mode and file_mode in mountOptions of the class, if the program only needs a certain owner.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/could-not-change-permissions-azure-files",
    ),
    leads_to=(
        "kubernetes.crash_loop",
        "kubernetes.program_fails",
    ),
    ask="kubectl get pv -o json",
)
