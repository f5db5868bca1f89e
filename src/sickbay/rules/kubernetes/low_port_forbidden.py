from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program that does not run as root wants to listen on a port below 1024 (bind: permission denied)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"bind\(\) to \S{1,60}:(?P<port>\d{1,3}) failed \(13: Permission denied\)|listen (?:tcp|udp) \S{0,60}:(?P<tcp>\d{1,3}): bind: permission denied|listen EACCES: permission denied \S{0,60}?:?(?P<node>\d{1,3})\b|could not bind to address \S{1,60}:(?P<apache>\d{1,3})|\(13\)Permission denied: AH00072",
            says="a program may not listen on a port below 1024",
            sample="nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)",
            near_miss="nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)",
        ),
        Signature(
            pattern=r"SocketException \(13\): Permission denied.{0,600}?(?:Kestrel|Bind|Listen)|java\.net\.SocketException: Permission denied.{0,300}?(?:bind|listen)|cannot bind socket \(Permission denied\)|BindException: Permission denied|bind: Permission denied|[Ee]rror binding to port \d{1,3}: .{0,40}?[Pp]ermission denied|starting httpd: .{0,80}?make_sock",
            says="a program may not listen on its port",
            sample="java.net.BindException: Permission denied",
            near_miss="java.net.BindException: Address already in use",
        ),
    ),
    why="The kernel keeps ports below 1024 for root and for programs with the capability NET_BIND_SERVICE. With runAsUser, runAsNonRoot or dropped capabilities the program has neither.",
    remedy=(
        Step(
            "Let the program listen on a port above 1023 and send the service there (targetPort); callers keep theirs.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "Or add the capability NET_BIND_SERVICE, or open low ports in the pod: securityContext.sysctls with net.ipv4.ip_unprivileged_port_start set to 0.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/administer-cluster/sysctl-cluster/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
