from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Fluent Bit gets no metadata of pods, so records carry no labels (could not get meta for POD)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"could not get meta (?:for|local) POD|\[filter(?::kubernetes:[\w.-]{1,60}|_kube)\] (?:kubelet |kube api )?upstream connection error|\[filter(?::kubernetes:[\w.-]{1,60}|_kube)\] (?:invalid|no) (?:http )?(?:response|upstream)",
            says="the kubernetes filter of Fluent Bit reaches neither API server nor kubelet",
            sample="[2021/06/14 12:29:05] [ warn] [filter:kubernetes:kubernetes.0] could not get meta for POD logs-x2b7k",
            near_miss="[2021/06/14 12:29:05] [ info] [filter:kubernetes:kubernetes.0] connectivity OK",
            weight=TYPICAL,
        ),
    ),
    why="The kubernetes filter asks the API server, or with `Use_Kubelet` the kubelet on port 10250, for the labels of each pod. Its service account may not read pods (or `nodes/proxy`), a network policy or proxy stands in between, `Kube_URL` has another port, or without `hostNetwork` the address 127.0.0.1 is not the node's. The log lines still go out, but bare.",
    remedy=(
        Step(
            "See whether its account may read pods, and with Use_Kubelet the kubelet.",
            run=(
                "kubectl",
                "auth",
                "can-i",
                "get",
                "nodes/proxy",
                "--as=system:serviceaccount:<namespace>:<account>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "With `Use_Kubelet On` let the pods run with `hostNetwork: true` and `dnsPolicy: ClusterFirstWithHostNet`; without it set `Kube_URL` to https://kubernetes.default.svc:443."
        ),
        Step(
            "The certificate of an AKS kubelet is its own unless kubelet serving certificates are rotated: set `tls.verify Off` for the kubelet, or turn that feature on."
        ),
    ),
    docs=("https://docs.fluentbit.io/manual/pipeline/filters/kubernetes",),
)
