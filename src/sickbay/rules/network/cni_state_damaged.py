from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The state file of the network plugin on a node is damaged (unexpected end of JSON input, CNS state corrupt)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)(?:network|cni)\S{0,40}.{0,200}?: unexpected end of JSON input|azure-vnet(?:-ipam)?\.json.{0,200}?(?:unexpected end|invalid character|corrupt)|(?:network manager|key-value store of network plugin|network plugin), err: ?invalid character|failed to get network \S{1,80} cached result: decoding|netplugin failed but error parsing its diagnostic message|IPID to IPConfig doesn't exist|CNS State potentially corrupt|Inconsistent state, ipconfig with ID|Desired IP is already allocated|(?:endpoint|network) (?:already exists|state) .{0,60}?(?:mismatch|inconsistent)",
            says="the state of the network plugin cannot be read",
            sample='networkPlugin cni failed to set up pod "cart-0_shop" network: unexpected end of JSON input',
            near_miss='networkPlugin cni failed to set up pod "cart-0_shop" network: netplugin failed',
            weight=TYPICAL,
        ),
    ),
    why="The CNI plugin keeps its state in a file of the node (/var/run/azure-vnet.json, /var/lib/cni). A full disk, a killed plugin or a hard reboot left it cut off, so that no pod gets a network there until it is removed.",
    remedy=(
        Step(
            "See which node is affected, and that its disk is not full.",
            run=(
                "kubectl",
                "describe",
                "nodes",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Drain the node and reimage it, or remove the state file and restart the kubelet.",
            run=(
                "kubectl",
                "drain",
                "<node>",
                "--ignore-daemonsets",
                "--delete-emptydir-data",
            ),
            risk=Risk.DISRUPTIVE,
            verify="new pods start on the node",
        ),
    ),
    leads_to=(
        "kubernetes.container_creating_stuck",
        "network.cni_setup_fails",
        "kubernetes.cni_not_ready",
    ),
    docs=("https://github.com/Azure/azure-container-networking/issues/464",),
    ask="kubectl describe nodes",
)
