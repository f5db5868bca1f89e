from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program speaks to a clustered Redis as if it were a single server (MOVED, CROSSSLOT)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"\bMOVED \d{1,5} (?P<owner>[\w.:-]{3,200}:\d{2,5})\b|CROSSSLOT Keys in request don't hash to the same slot|This instance has cluster support disabled|SELECT is not allowed in cluster mode",
            says="the client and the server do not agree on cluster mode",
            sample="io.lettuce.core.RedisCommandExecutionException: MOVED 12182 10.244.3.17:6379",
            near_miss="redis: 12182 keys moved to 10.244.3.17:6379",
        ),
    ),
    why="A Redis cluster keeps each key on the shard of its hash slot. A client in single-server mode does not follow the redirection to the right shard, a command over keys of several slots cannot be done by one shard, and only database 0 exists; a client in cluster mode, in turn, gets no slots from a single server.",
    remedy=(
        Step(
            "See whether the server runs as a cluster.",
            run=(
                "kubectl",
                "exec",
                "<redis-pod>",
                "-n",
                "{namespace}",
                "--",
                "redis-cli",
                "info",
                "cluster",
            ),
            risk=Risk.READ,
            verify="cluster_enabled:1 wants a client in cluster mode",
        ),
        Step(
            "Turn on the cluster mode of the client library (RedisCluster, spring.data.redis.cluster.nodes), or use a server without clustering; in Azure Managed Redis choose the Enterprise or the non-clustered policy for a plain client.",
        ),
        Step(
            "Give keys that one command uses together a common hash tag (the part of the key in braces)."
        ),
    ),
    docs=(
        "https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/",
        "https://learn.microsoft.com/azure/redis/architecture",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
