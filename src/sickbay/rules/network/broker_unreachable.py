from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A client of Kafka or ZooKeeper does not get through to its servers, or is sent to a wrong address",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"Bootstrap broker (?P<broker>\S{3,120}) \(id: -?\d+ rack: \w+\) disconnected|Topic (?P<topic>\S{1,120}) not present in metadata after|Connection to node -?\d+ \((?P<node_address>\S{3,160})\) (?:could not be established|terminated during authentication)|client has run out of available brokers|KeeperErrorCode = ConnectionLoss|Timed out waiting for connection while in state: CONNECTING|KafkaTimeoutError: Failed to update metadata|NoBrokersAvailable|Timed out waiting for a node assignment|Timeout expired while fetching topic metadata|Local: Broker transport failure|All broker connections are down|\d+/\d+ brokers are down",
            says="a Kafka client is not connected to a broker",
            sample="[Producer clientId=shop-1] Bootstrap broker kafka-0.kafka.shop:9092 (id: -1 rack: null) disconnected",
            near_miss="[Producer clientId=shop-1] Cluster ID: 5L6g3nShT-eMCtK--X86sw",
            weight=TYPICAL,
            ended_by=r"Cluster ID: |joined group|Resetting offset",
            common=True,
        ),
    ),
    why="A client asks a bootstrap server for the brokers and then connects to the addresses that these advertise. Nothing answers at the bootstrap address, its listener wants TLS or SASL and the client speaks plain text (or the reverse), or the advertised addresses do not resolve from the pod.",
    remedy=(
        Step(
            "See whether the brokers run and which addresses they advertise.",
            run=(
                "kubectl",
                "get",
                "pods,services",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Make port, security.protocol and advertised.listeners agree; for Event Hubs use port 9093 with SASL_SSL.",
            risk=Risk.DISRUPTIVE,
            verify="the client joins its group",
        ),
    ),
    docs=("https://kafka.apache.org/documentation/#brokerconfigs_advertised.listeners",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
