from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An old Java runtime does not understand the cgroup v2 of the node, so it fails or ignores its memory limit",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"jdk\.internal\.platform\.CgroupInfo\.getMountPoint\(\).{0,40}?because \"?anyController\"? is null|jdk\.internal\.platform\.cgroupv[12]\.\w{3,60}\.\w{3,60}.{0,300}?NullPointerException|NullPointerException.{0,300}?jdk\.internal\.platform\.(?:CgroupSubsystemFactory|cgroupv[12])",
            says="the runtime cannot read the cgroup of its container",
            sample='Caused by: java.lang.NullPointerException: Cannot invoke "jdk.internal.platform.CgroupInfo.getMountPoint()" because "anyController" is null',
            near_miss='Caused by: java.lang.NullPointerException: Cannot invoke "com.contoso.Cart.total()" because "cart" is null',
            weight=TYPICAL,
        ),
    ),
    why="Since Kubernetes 1.25 the nodes of AKS use cgroup v2. Java before 8u372 or 11.0.16 (like .NET before 5 and old agents) looks for the files of v1: it stops with an error, or takes the memory of the whole node for its own, sizes its heap by that and is killed at the limit of the container.",
    remedy=(
        Step(
            "See the version of the runtime in the container.",
            run=("kubectl", "exec", "{pod}", "-n", "{namespace}", "--", "java", "-version"),
            risk=Risk.READ,
        ),
        Step(
            "Build the image on a runtime that knows cgroup v2 (Java 8u372, 11.0.16, 17 or newer).",
            risk=Risk.DISRUPTIVE,
            verify="the restart count of the pod stands still",
        ),
        Step(
            "Until then state the heap yourself with -Xmx, or switch container support off with -XX:-UseContainerSupport."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/aks-memory-saturation-after-upgrade",
        "https://kubernetes.io/docs/concepts/architecture/cgroups/",
    ),
    leads_to=("kubernetes.program_fails", "kubernetes.oom_killed"),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
