from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A message broker refuses what a program sends or declares (size, arguments, rights, memory alarm)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"RecordTooLargeException|MESSAGE_TOO_LARGE|PRECONDITION_FAILED - |RESOURCE_LOCKED - |[Mm]emory resource limit alarm set|vm_memory_high_watermark set|[Dd]isk resource limit alarm set|TopicAuthorizationException|GroupAuthorizationException|TOPIC_AUTHORIZATION_FAILED|UNKNOWN_TOPIC_OR_PARTITION|UnknownTopicOrPartitionException|Topic \S{1,120} not present in metadata after|NOT_FOUND - no (?:queue|exchange)|RebalanceInProgressException|CommitFailedException|InvalidReplicationFactorException|replication factor: \d+ larger than available brokers|target replication factor of \d+ cannot be reached",
            says="a broker refuses a message, queue or topic",
            sample="RecordTooLargeException: The message is 1200000 bytes when serialized which is larger than 1048576",
            near_miss="message of 1200 bytes sent",
            weight=TYPICAL,
            common=True,
        ),
    ),
    why="The broker (Kafka, RabbitMQ) was reached: it rejects a message that is too large, a queue or topic declared with other arguments than it has, a client without rights on it, or all publishers while its memory or disk alarm is set.",
    remedy=(
        Step(
            "Read the log of broker and program at that time.",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring both into agreement: message.max.bytes and max.request.size, the arguments of the queue, the rights of the user, more memory or disk for the broker.",
            risk=Risk.DISRUPTIVE,
            verify="messages flow again",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/",),
    leads_to=(
        "kubernetes.log_shipping_fails",
        "kubernetes.program_fails",
    ),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
