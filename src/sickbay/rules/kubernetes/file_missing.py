from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program does not find a file that it needs: a configuration, certificate or data file is not in the pod",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?:FileNotFoundError: \[Errno 2\] No such file or directory: |ENOENT: no such file or directory, (?:open|stat|access|scandir|lstat) )\x27(?P<file>/?[^\x27]{3,200})\x27|java\.io\.FileNotFoundException: (?P<java>\S{3,200}) \(No such file or directory\)|(?:panic: |[fF]atal|FATA|[Ee]rror|failed to (?:read|load|open)|unable to (?:read|load|open)|could not (?:read|load|open)|cannot (?:read|load|open)|can\x27t open|couldn\x27t load).{0,160}?open (?P<go>/[\w./-]{3,200}): no such file or directory|open (?P<named>/[\w./-]{3,200}\.(?:ya?ml|json|toml|conf|crt|pem|key|properties|ini|env|cfg|pfx|jks)): no such file or directory|configuration file \x27(?P<dotnet>[^\x27]{3,200})\x27 was not found and is not optional|Could not find file \x27(?P<net>/[^\x27]{3,200})\x27|cannot load certificate \"(?P<cert>/[^\"]{3,200})\".{0,80}?No such file|BIO_new_file\(\) failed|cannot create (?P<shell>/[\w./-]{3,200}): (?:Directory nonexistent|No such file)|BIO routines:BIO_new_file:(?:no such file|system lib)|# Can't open the append-only file: No such file",
            says="a program does not find a file that it needs",
            sample="FileNotFoundError: [Errno 2] No such file or directory: '/etc/shop/config.yaml'",
            near_miss="config file /etc/shop/config.yaml not present, using defaults",
            weight=TYPICAL,
            unless=r"(?i)Azure config file|opening storage failed|kubelet|containerd|/proc/|/sys/|cgroup|/var/lib/kubelet|/opt/cni|/etc/cni|resolv\.conf|serviceaccount/|kubeconfig|\.kube/|\.azure|azext|MountVolume|runc|accumulat|\.sock\b|\bkustomiz|/var/lib/waagent|terraform|arcappliance|\bCNI\b|cni\b|hcp|\.ssh/",
            common=True,
        ),
    ),
    why="A file that the program opens at its start is not where it looks: the config map, secret or volume is not mounted there, its key has another file name, or a mount hides what the image brought.",
    remedy=(
        Step(
            "See what is mounted where.",
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
            "Correct the mount path, the key or the path in the settings of the program.",
            risk=Risk.DISRUPTIVE,
            verify="the restart count of the pod stands still",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
