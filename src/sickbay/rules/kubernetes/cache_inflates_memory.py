from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The memory of a pod is mostly page cache and slab of the kernel, not of the program",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"memory\.stat\b.{0,400}?\binactive_file [1-9]\d{8,}\b",
            says="the cgroup of a pod holds a large page cache",
            sample="$ cat /sys/fs/cgroup/memory.stat\nanon 5197824\nactive_file 32768\ninactive_file 10256207872\nslab 354682456",
            near_miss="$ cat /sys/fs/cgroup/memory.stat\nanon 5197824\nactive_file 32768\ninactive_file 81920\nslab 354682",
            weight=TYPICAL,
        ),
    ),
    why="A program that reads or writes many files makes the kernel keep page cache and slab memory, which is charged to the pod's cgroup and inflates its working set, although the kernel gives it back under pressure.",
    remedy=(
        Step(
            "Compare anon (the program) with file and slab (the cache).",
            run=(
                "kubectl",
                "exec",
                "{pod}",
                "-n",
                "{namespace}",
                "--",
                "cat",
                "/sys/fs/cgroup/memory.stat",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Judge the pod by anon memory; give disk-heavy pods a limit with room for the cache, or let them open files without caching.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/high-memory-consumption-disk-intensive-applications",
    ),
)
