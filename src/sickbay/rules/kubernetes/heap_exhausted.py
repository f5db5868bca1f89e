from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program reaches its own memory limit (heap), before the container's",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"java\.lang\.OutOfMemoryError: (?P<space>Java heap space|GC overhead limit exceeded|Metaspace|Direct buffer memory|Compressed class space)|Cannot reserve \d+ bytes of direct buffer memory|OutOfDirectMemoryError: failed to allocate|\[parent\] Data too large, data for|Memory limit \((?:total|for query|for user)\) exceeded: would use|JavaScript heap out of memory|Allocation failed - process out of memory|System\.OutOfMemoryException|Allowed memory size of \d+ bytes exhausted|\bMemoryError: Unable to allocate",
            says="a program ran out of its own heap",
            sample='Exception in thread "http-nio-8080-exec-3" java.lang.OutOfMemoryError: Java heap space',
            near_miss="Memory cgroup out of memory: Killed process 4321 (java)",
        ),
        Signature(
            pattern=r"insufficient memory for the Java Runtime Environment to continue|Could not reserve enough space for .{0,40}?(?:object heap|code cache|card table)|Native memory allocation \(\w+\) failed|requires a machine with at least \d+ megabytes of memory|\bMemoryError\b$|[Cc]annot allocate memory|ENOMEM\b|std::bad_alloc|runtime: out of memory|fatal error: runtime: (?:cannot allocate|out of) memory|GC heap initialization failed|Killed: out of memory|failed to allocate memory|Workers \(tasks / actors\) killed due to memory pressure|Memory usage is above (?:soft|hard) limit\. Refusing data|data refused due to high memory usage",
            says="a program could not get the memory that it asked for",
            sample="There is insufficient memory for the Java Runtime Environment to continue.",
            near_miss="memory: 2 GiB free",
            weight=TYPICAL,
            unless=r"(?i)cgroup|no space left|iptables|nftables|kernel:|huge|mount error",
        ),
    ),
    why="The runtime of the program (Java, Node.js, .NET, PHP) has a limit of its own for the heap, mostly a part of the container's memory limit (a quarter for Java). It was reached, so the program failed although the container was not killed: too small a limit for the load, or a leak.",
    remedy=(
        Step(
            "See the memory limit of the container and its use.",
            run=("kubectl", "top", "pod", "{pod}", "-n", "{namespace}", "--containers"),
            risk=Risk.READ,
        ),
        Step(
            "Raise the heap together with the limit: -XX:MaxRAMPercentage=75 (Java), --max-old-space-size (Node.js), memory_limit (PHP).",
            risk=Risk.DISRUPTIVE,
            verify="the program runs under load without OutOfMemoryError",
        ),
        Step("If it grows without end, take a heap dump and find the leak."),
    ),
    docs=("https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/",),
    leads_to=("kubernetes.program_fails", "kubernetes.probe_failed"),
    ask="kubectl logs {pod} -n {namespace} --previous",
)
