from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The seccomp profile of a container blocks a system call that its program needs",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'type=(?:SECCOMP|1326)\b.{0,400}?comm="?(?P<program>[\w./-]+)"?.{0,200}?syscall=(?P<call>\d+)|audit\(\d[\d.:]+\):? .{0,300}?comm="?(?P<other>[\w./-]+)"?.{0,200}?sig=\d+ arch=\w+ syscall=(?P<number>\d+)',
            says="seccomp stopped a system call",
            sample='audit: type=1326 audit(1731751234.123:4711): auid=4294967295 uid=0 gid=0 pid=4711 comm="app" exe="/usr/bin/app" sig=0 arch=c000003e syscall=321 compat=0 ip=0x7f code=0x50000',
            near_miss='audit: type=1400 audit(1731751234.123:4711): apparmor="ALLOWED" operation="open" comm="app"',
        ),
        Signature(
            pattern=r"pthread_create failed \(EPERM\)|pthread_create.{0,40}?: Operation not permitted",
            says="a program may not start a thread, as older runtimes and profiles refuse the call of newer C libraries",
            sample='Failed to start thread "GC Thread#0" - pthread_create failed (EPERM) for attributes: stacksize: 1024k, guardsize: 4k, detached.',
            near_miss='Started thread "GC Thread#0"',
            weight=TYPICAL,
        ),
    ),
    why="seccomp allows a container only the system calls of its profile (RuntimeDefault, or a Localhost one); others answer permission denied or function not implemented, or end the program.",
    remedy=(
        Step(
            "See which calls are blocked.",
            run=(
                "kubectl",
                "gadget",
                "run",
                "audit_seccomp",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use a profile that allows this call, or Unconfined for this one workload.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/security/troubleshoot-seccomp-profiles",
    ),
    leads_to=(
        "kubernetes.heap_exhausted",
        "kubernetes.crash_loop",
        "kubernetes.program_fails",
    ),
    ask="kubectl get pod {pod} -n {namespace} -o jsonpath={.spec.securityContext}",
)
