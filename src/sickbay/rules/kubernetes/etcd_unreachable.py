from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server cannot reach its store: etcd is down, stuck or cut off",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"fails its check etcd(?:-readiness)?\b|\[-\]etcd(?:-readiness)? failed|error getting data from etcd: ",
            says="the API server gets no answer from etcd",
            sample="the API server at 10.0.0.4:6443 fails its check etcd: internal server error: error getting data from etcd: context deadline exceeded",
            near_miss="[+]etcd ok",
        ),
        Signature(
            pattern=r"etcdserver: no leader|:2379\b.{0,240}?(?:connection refused|i/o timeout|no route to host|handshake failed|tls: bad certificate)|\"rejected connection\".{0,300}?tls: (?:bad|unknown) certificate|etcdserver: server stopped|server is likely overloaded",
            says="etcd is slow or has no leader",
            sample="watch chan error: etcdserver: no leader",
            near_miss="etcdserver: published name to cluster",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="Everything that a cluster knows is in etcd. While the API server gets no answer from it, the server still accepts connections, but lists, writes, logins by service accounts and leader elections hang or fail; what runs on the nodes goes on without control. A process that is stopped, a disk that is full or slow, a lost quorum and expired peer certificates all end so.",
    remedy=(
        Step(
            "Ask the server which of its checks fail.",
            run=("kubectl", "get", "--raw", "/readyz?verbose"),
            risk=Risk.READ,
        ),
        Step(
            "On your own control plane, see on each of its nodes whether etcd runs, what its log says of disk and peers, and whether its disk has room.",
            run=("crictl", "ps", "--name", "etcd"),
            risk=Risk.READ,
        ),
        Step(
            "Bring etcd back: free or replace the disk, restart the process, or restore the quorum.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get --raw /readyz answers ok",
        ),
        Step(
            "On AKS etcd is part of the managed control plane: open a ticket with the time in UTC.",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/administer-cluster/configure-upgrade-etcd/",
        "https://kubernetes.io/docs/reference/using-api/health-checks/",
    ),
    leads_to=(
        "kubernetes.api_not_ready",
        "aks.api_server_unreachable",
        "kubernetes.leader_lease_lost",
    ),
    spreads=True,
    ask="kubectl get --raw /readyz?verbose",
)
