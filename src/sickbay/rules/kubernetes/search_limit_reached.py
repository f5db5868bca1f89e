from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Elasticsearch or OpenSearch has reached one of its own limits (shards of the cluster, fields of an index)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"this (?:action|cluster) (?:would add|currently has) \[\d+\].{0,40}?shards?,? .{0,80}?\[?(?P<now>\d+)\]?/\[?(?P<most>\d+)\]? maximum|cluster_block_exception.{0,200}?maximum (?:normal )?shards open|Limit of total fields \[(?P<fields>\d+)\] (?:has been|in index \[[^\]]{1,255}\] has been) exceeded|Trying to create too many scroll contexts|Result window is too large, from \+ size must be",
            says="a limit of the search cluster is reached",
            sample='{"type":"validation_exception","reason":"Validation Failed: 1: this action would add [2] shards, but this cluster currently has [1000]/[1000] maximum normal shards open;"}',
            near_miss='{"cluster_name":"logs","status":"green","active_shards":400,"active_primary_shards":200}',
        ),
    ),
    why="Each data node may hold 1,000 open shards (cluster.max_shards_per_node) and each index 1,000 fields (index.mapping.total_fields.limit). Small daily indices with many replicas, or logs whose keys become fields, use them up; from then on no index is made or no document with a new field is taken, so logs are lost.",
    remedy=(
        Step(
            "Count the indices and shards.",
            run=(
                "kubectl",
                "exec",
                "<elasticsearch-pod>",
                "-n",
                "{namespace}",
                "--",
                "curl",
                "-s",
                "localhost:9200/_cluster/stats?filter_path=indices.shards",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete or close old indices, and let a lifecycle policy do it from now on.",
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Make fewer and larger indices (rollover by size, fewer primary shards and replicas), add a data node, or flatten the fields of the logs; raise the limit only for the time until then.",
            verify="the next index is made",
        ),
    ),
    docs=("https://www.elastic.co/guide/en/elasticsearch/reference/current/size-your-shards.html",),
    leads_to=("kubernetes.log_shipping_fails", "kubernetes.program_fails"),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
