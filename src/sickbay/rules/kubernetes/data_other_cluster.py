from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The volume holds data of another cluster or member (cluster ID does not match), so the server does not join",
    severity=Severity.ERROR,
    categories=(
        Category.STORAGE,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"InconsistentClusterIdException|InconsistentBrokerIdException|The Cluster ID \S{1,60} doesn.?t match stored clusterId|does not match stored (?:clusterId|brokerId)|Saved cluster name \S{1,80} != configured name|request sent was ignored \(cluster ID mismatch|member \w+ has already been bootstrapped|Locally stored replica set configuration is invalid|No `?meta\.properties`? found in|Invalid cluster\.id in|Configured broker\.id \d+ doesn.t match stored|Log dir \S{1,200} is missing meta\.properties|InconsistentNodeIdException|Configured node\.id .{1,20} doesn.t match stored|\{inconsistent_cluster,|thinks it.s clustered with node .{3,200}? disagrees|My id \d+ not in the peer list",
            says="the data directory belongs to another cluster",
            sample="kafka.common.InconsistentClusterIdException: The Cluster ID 4yqXk does not match stored clusterId Some(J8aFZ2) in meta.properties.",
            near_miss="Cluster ID: 4yqXk (org.apache.kafka.clients.Metadata)",
        ),
        Signature(
            pattern=r"join validation on cluster state with a different cluster (?:UUID|uuid)|cluster (?:UUID|uuid) \S{1,60} (?:than|differs|mismatch)|cluster ID mismatch|member count is unequal|(?:member|node) \S{0,80} ?has already been removed from the cluster",
            says="a member and its cluster do not know each other",
            sample="CoordinationStateRejectedException: join validation on cluster state with a different cluster uuid 0Vx than local cluster uuid 7Qa, rejecting",
            near_miss="cluster uuid 0Vx joined by node es-1",
            weight=TYPICAL,
        ),
    ),
    why="Kafka, Cassandra, Elasticsearch, etcd and their like write the id of their cluster and member into the data directory. A volume that was reused from an earlier installation, a new ensemble or coordinator with the old volumes, or a changed cluster name leaves the two ids different, and the server refuses to start rather than mix the data.",
    remedy=(
        Step(
            "See which claims the server uses and how old they are.",
            run=(
                "kubectl",
                "get",
                "pvc",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the old identity back (cluster id, cluster name, coordinator), if the data is wanted.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Or, if the data is not wanted, delete the claim of that member, so that it joins with an empty directory.",
            run=(
                "kubectl",
                "delete",
                "pvc",
                "<claim>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="the server joins its cluster",
        ),
    ),
    docs=("https://kafka.apache.org/documentation/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
