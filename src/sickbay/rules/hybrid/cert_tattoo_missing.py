from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The certificate renewal pod crashes: its cert-tattoo file is missing on worker nodes",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)cert-tattoo[\w-]*\.ya?ml\b.{0,60}?(?:no such file|not found|does not exist|missing)",
            says="the cert-tattoo file is missing",
            sample="open /etc/kubernetes/pki/cert-tattoo-kubelet.yaml: no such file or directory",
            near_miss="read /etc/kubernetes/pki/cert-tattoo-kubelet.yaml",
        ),
        Signature(
            pattern=r"(?i)\bcert-renewal\S* +\d+/\d+ +(?:CrashLoopBackOff|Error)\b|certificate renewal pod\b.{0,60}?crash ?loop",
            says="the certificate renewal pod crashes",
            sample="cert-renewal-worker-ds-7k2lm 0/1 CrashLoopBackOff 41 3h",
            near_miss="cert-renewal-worker-ds-7k2lm 1/1 Running 0 3h",
            weight=TYPICAL,
        ),
    ),
    why="The renewal pod of AKS on Azure Local or Windows Server reads `/etc/kubernetes/pki/cert-tattoo-kubelet.yaml`. After an upgrade or scale-out of older releases the file exists on control plane nodes only, so the pod on workers loops and certificates are not renewed.",
    remedy=(
        Step(
            "See which pods crash.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "kube-system",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Copy /etc/kubernetes/pki/cert-tattoo-kubelet.yaml from a control plane node to each worker, owned by root and with the node name of that worker in it, or update AKS to a release of April 2022 or later.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n kube-system wants cert-renewal pods Running",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-workload-clusters",),
    ask="kubectl get pods -n kube-system",
    leads_to=("kubernetes.crash_loop",),
)
