from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The data files of a database or queue are damaged (corrupt), so it does not start",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)could not locate a valid checkpoint record|invalid (?:primary )?checkpoint record|invalid page in block \d+|Bad file format reading the append only file|Unexpected end of file reading the append only file|Short read or OOM loading DB|Wrong signature trying to load DB from file|\bWT_PANIC\b|WiredTiger error .{0,160}?(?:corrupt|checksum|WT_ERROR)|\[InnoDB\] .{0,120}?corrupt|InnoDB: Database page corruption|Table .{1,80}? is marked as crashed|CorruptIndexException|TranslogCorruptedException|(?:walpb|wal|snap): crc mismatch|crc mismatch|file is not a database|database disk image is malformed|Found a corrupted index file|CorruptRecordException|Unable to load database on disk|Last transaction was partial|segment .{0,60}?(?:is )?corrupt|unexpected (?:full|first|last) record|bolt(?:db)?: .{0,60}?(?:corrupt|invalid database)|page \d+ already freed|panic: invalid (?:freelist )?page(?: type)?: \d|freepages: failed to get all reachable pages|corrupted data directory|MANIFEST.{0,40}?corrupt|Corruption: |opening storage failed: .{0,200}?(?:meta\.json|invalid block|time ranges overlap|unexpected end|invalid magic|checksum)|invalid block sequence|Missing redo log file |InnoDB\]?:? Assertion failure|We intentionally generate a memory trap|CorruptStateException|overlaps found while gathering blocks|Was the raft log corrupted, truncated, or lost|state\.commit \d+ is out of range|recovering backend from snapshot error|snapshot file doesn.t exist|database file .{0,200}? does not match with snapshot|recovering wal from scratch.{0,80}?file not found|open wal error: wal: file not found|open and lock privilege tables|could not open mysql\.plugin table",
            says="the files of a database are damaged",
            sample="PANIC:  could not locate a valid checkpoint record",
            near_miss="LOG:  checkpoint complete: wrote 43 buffers",
            weight=TYPICAL,
            unless=r"(?i)fsck|superblock|ibdata1 error|layer|unpack|image|cni|tar: ",
        ),
    ),
    why="The program found its own files unreadable or cut off: it was killed in the middle of a write, the disk was full or detached by force, two processes wrote to one volume, or the volume is a share (SMB, NFS) that does not keep the promises a database relies on.",
    remedy=(
        Step(
            "Stop the workload, so that nothing writes any more.",
            run=(
                "kubectl",
                "scale",
                "<workload>",
                "-n",
                "{namespace}",
                "--replicas",
                "0",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step("Take a snapshot of the volume before any repair.", risk=Risk.SAFE),
        Step(
            "Restore from a backup or another replica; else repair with the tool of the product (pg_resetwal, redis-check-aof --fix, mongod --repair, promtool, etcdutl), which may lose the last writes.",
            risk=Risk.DESTRUCTIVE,
            verify="the database starts and answers",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/storage/volume-snapshots/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
