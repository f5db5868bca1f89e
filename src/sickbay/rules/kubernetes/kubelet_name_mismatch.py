from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A kubelet registers under another node name than its credentials are for (not allowed to modify node)",
    severity=Severity.ERROR,
    categories=(
        Category.NODES,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"node \"(?P<own>[^\"]{1,120})\" is not allowed to (?:modify|create|read|get|update|patch) (?:node )?\"?(?P<other>[^\"\s]{1,120})|can only (?:create|access|modify) (?:node|pods?|leases?).{0,60}?with the same name as the requesting node",
            says="a kubelet may not act for another node",
            sample='"Unable to register node with API server" err="nodes \\"worker1\\" is forbidden: node \\"worker-1\\" is not allowed to modify node \\"worker1\\"" node="worker1"',
            near_miss='"Successfully registered node" node="worker1"',
        ),
    ),
    why="The node authorizer lets a kubelet change only the node that its certificate names (system:node:<name>). A machine that was renamed or cloned, a hostname with other case or domain, or --hostname-override makes it ask for another one, and it is refused.",
    remedy=(
        Step(
            "See the name in the kubelet's certificate and the hostname of the machine.",
            risk=Risk.READ,
        ),
        Step(
            "Give the machine its old hostname back or set the name for the kubelet (--hostname-override), or join it anew so that it gets a certificate for the new name.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get nodes shows the node Ready",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/access-authn-authz/node/",),
    leads_to=(
        "kubernetes.node_not_ready",
        "kubernetes.kubelet_silent",
    ),
    ask="kubectl get nodes -o wide",
)
