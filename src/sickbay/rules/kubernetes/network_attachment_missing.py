from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod names a network attachment definition that does not exist in its namespace (Multus)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"cannot find a network-attachment-definition \((?P<definition>[\w.-]{1,200})\) in namespace \((?P<namespace>[\w.-]{1,100})\)|network-attachment-definitions\.k8s\.cni\.cncf\.io \"?(?P<name>[\w.-]{1,200})\"? not found|getKubernetesDelegate: cannot find get a network-attachment-definition",
            says="the network that a pod names is not there[: {definition} in {namespace}][: {name}]",
            sample='Multus: [shop/cart-6f/9b2f]: error in getting k8s network for pod: cannot find a network-attachment-definition (macvlan-conf) in namespace (shop): network-attachment-definitions.k8s.cni.cncf.io "macvlan-conf" not found',
            near_miss="Multus: [shop/cart-6f/9b2f]: added network-attachment-definition (macvlan-conf)",
        ),
    ),
    why="The annotation k8s.v1.cni.cncf.io/networks lists further networks of a pod, and Multus looks each up as a NetworkAttachmentDefinition in the pod's own namespace unless the name has another one before a slash. It is misspelled, was made elsewhere, or comes later than the pod; on Operator Nexus it is made with the networks that the cluster attaches.",
    remedy=(
        Step(
            "See which definitions there are.",
            run=("kubectl", "get", "network-attachment-definitions.k8s.cni.cncf.io", "-A"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the annotation (<namespace>/<name>), or make the definition in the namespace of the pod.",
            risk=Risk.SAFE,
            verify="kubectl get pod -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://github.com/k8snetworkplumbingwg/multus-cni/blob/master/docs/how-to-use.md",
        "https://learn.microsoft.com/azure/operator-nexus/howto-kubernetes-cluster-connect-multiple-networks",
    ),
    leads_to=("network.cni_setup_fails", "kubernetes.container_creating_stuck"),
    ask="kubectl get network-attachment-definitions.k8s.cni.cncf.io -A",
)
