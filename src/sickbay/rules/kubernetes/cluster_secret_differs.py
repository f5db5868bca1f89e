from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The members of a cluster do not share the same secret (Erlang cookie, gossip key), so they refuse each other",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"Connection attempt from disallowed node|\.erlang\.cookie contents do not match RABBITMQ_ERLANG_COOKIE|rejected by the remote node\), please check the Erlang cookie|Authentication failed \(rejected by the remote node|No installed keys could decrypt the message|Invalid challenge reply",
            says="a member of the cluster brings another secret than the rest",
            sample="** Connection attempt from disallowed node 'rabbit@rabbitmq-0.rabbitmq-headless.shop.svc.cluster.local' **",
            near_miss="node 'rabbit@rabbitmq-0.rabbitmq-headless.shop.svc.cluster.local' up",
        ),
    ),
    why="Members of RabbitMQ and other Erlang programs, Consul or Nomad know each other by one secret value. Where a chart makes a new one at each upgrade while the volume keeps the old one, or where pods were made before and after a change, the values differ and every connection between members is refused.",
    remedy=(
        Step(
            "See how old the secret is beside the pods.",
            run=(
                "kubectl",
                "get",
                "secrets,pods",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the chart a fixed value (for RabbitMQ the Erlang cookie, by an existing secret), and make the file on each volume equal to it.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Restart all members, so that they start with the same value.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "statefulset/<name>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="all members join the cluster",
        ),
    ),
    docs=("https://www.rabbitmq.com/docs/clustering#erlang-cookie",),
    leads_to=(
        "kubernetes.program_fails",
        "kubernetes.readiness_fails",
        "kubernetes.quorum_lost",
    ),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
