from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A clustered store has no leader, primary or quorum, so it takes no requests",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"master_not_discovered_exception|master not discovered(?: or elected)? yet|ReplicaSetNoPrimary|NotWritablePrimary|NotPrimaryNoSecondaryOk|not master and slaveOk=false|NodeNotFound: No host described in new configuration|Could not find host matching read preference|It may not be safe to bootstrap the cluster from this node|WSREP has not yet prepared node|failed to open gcomm backend connection|Error while waiting for Mnesia tables|timeout_waiting_for_tables|No cluster leader|Unable to gossip with any (?:peers|seeds)|ZooKeeperServer not running|Zookeeper leader could not be found|This ZooKeeper instance is not currently serving requests|local node not active but active cluster node not found|too many unhealthy instances in the ring|at least \d+ live replicas required|NOMASTERLINK|No reachable node in (?:cluster|sentinel)|All sentinels down|NotEnoughReplicas|NOT_ENOUGH_REPLICAS|quorum (?:is )?(?:lost|not (?:met|reached|available))|no (?:raft )?leader (?:elected|found)|waiting for leader to bootstrap|JetStream (?:cluster )?(?:no metadata leader|system temporarily unavailable)|cannot achieve consistency level|home node '[^']{1,200}' of durable queue .{1,300}? is down or inaccessible|TABLE_IS_READ_ONLY|Table is in readonly mode|All connection tries failed while connecting to ZooKeeper|Insufficient number of drives online|Waiting for a minimum of \d+ drives to come online|unable to contact the other nodes in the cluster|NoHostAvailable|\bMasterNotDiscoveredException\b|WSREP: (?:no nodes coming from prim view|Non-primary view)",
            says="a clustered store has no leader",
            sample='{"error":{"root_cause":[{"type":"master_not_discovered_exception","reason":null}]},"status":503}',
            near_miss="elected-as-master ([1] nodes joined)",
            weight=TYPICAL,
            unless=r"etcd|vault operator unseal|MongoNetworkTimeoutError|MongoServerSelectionError: (?:connection timed out|connect E|getaddrinfo )|sealed",
            passes=True,
        ),
    ),
    why="Elasticsearch, MongoDB, Galera, RabbitMQ, Consul, ZooKeeper, Loki and their like elect a leader among their pods. When more than half of them are down, do not find each other by name, or were all stopped at once and wait for one another, nobody is elected and clients are refused.",
    remedy=(
        Step(
            "See how many of its pods are ready.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "{namespace}",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring the missing pods back first (they often wait for a volume or a node); with all stopped at once use podManagementPolicy Parallel, and start from the member with the newest data (Galera: safe_to_bootstrap, RabbitMQ: force_boot).",
            risk=Risk.DISRUPTIVE,
            verify="the store reports a leader and takes requests",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/",),
    leads_to=(
        "kubernetes.program_fails",
        "kubernetes.readiness_fails",
        "kubernetes.probe_failed",
        "kubernetes.probe_refused",
    ),
    ask="kubectl get pods -n {namespace} -o wide",
)
