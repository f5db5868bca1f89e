from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An agent of Jenkins does not reach the agent port of its controller (50000, inbound TCP)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"provided port:(?P<port>\d{2,5}) is not reachable on host (?P<host>[\w.-]{1,253}?)\.?(?:\s|$)|/tcpSlaveAgentListener/?\S{0,20} (?:is invalid: 404|appears to be publishing an invalid)|The server rejected the connection: None of the protocols were accepted",
            says="the agent port of the controller is closed[ ({host}:{port})]",
            sample="SEVERE: http://jenkins.jenkins:8080/ provided port:50000 is not reachable on host jenkins.jenkins",
            near_miss="INFO: Agent discovery successful Agent address: jenkins.jenkins Agent port: 50000",
        ),
    ),
    why="An inbound agent first asks the controller by HTTP for its agent port, and then connects to that port. The port is switched off or random in the security settings of Jenkins, the service that the agent uses (often an ingress) has no port 50000, or a network policy forbids it.",
    remedy=(
        Step(
            "See whether a service offers the agent port.",
            run=("kubectl", "get", "services", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Set the TCP port for inbound agents to fixed 50000, and give the agents a tunnel to the agent service (jenkinsTunnel: jenkins-agent.jenkins:50000).",
        ),
        Step("Or let the agents use WebSocket, which needs no second port."),
    ),
    docs=("https://www.jenkins.io/doc/book/security/services/",),
    leads_to=("kubernetes.condition_timeout", "kubernetes.program_fails"),
    ask="kubectl get services -n {namespace} -o yaml",
)
