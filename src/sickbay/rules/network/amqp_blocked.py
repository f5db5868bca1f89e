from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Service Bus or Event Hubs is not reached over AMQP: ports 5671 and 5672 are closed on the way out",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?P<host>[\w-]+\.servicebus\.windows\.net)\S{0,40}:567[12]\b.{0,200}?(?i:time|refused|unreachable|closed)|dial tcp [\d.]{7,15}:567[12]: (?:i/o timeout|connect: )|(?i:timed ?out)\S{0,3}[^()]{0,12}: (?:\S{0,60}\.servicebus\.windows\.net)?\S{0,20}:567[12]\b|\bamqp:socket-error\b|ErrorCondition\.SocketError|(?:TimedOut|ConnectionRefused|HostUnreachable|NetworkUnreachable|AccessDenied|ConnectionReset) \(ServiceCommunicationProblem\)|Unable to create the amqp connection",
            says="the AMQP connection[ to {host}] does not come about",
            sample="azure.servicebus.exceptions.ServiceBusConnectionError: Failed to initiate the connection due to exception: [Errno 110] Connection timed out Error condition: amqp:socket-error.",
            near_miss="Azure.Messaging.ServiceBus.ServiceBusException: The messaging entity could not be found. (MessagingEntityNotFound)",
            weight=TYPICAL,
        ),
    ),
    why="The client libraries of Service Bus and Event Hubs speak AMQP over port 5671 (or 5672), not HTTPS. A firewall, a security group or a proxy in the egress of the pods that lets only 80 and 443 through drops these connections, while the portal and az, which use 443, work.",
    remedy=(
        Step(
            "Try the port from a pod.",
            run=(
                "kubectl",
                "run",
                "amqp-test",
                "--rm",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/busybox:1.36",
                "--",
                "nc",
                "-vz",
                "<namespace>.servicebus.windows.net",
                "5671",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Let the nodes reach the service tags ServiceBus and EventHub on ports 5671 and 5672, or connect the namespace by a private endpoint.",
            verify="nc says open",
        ),
        Step(
            "Or let the client use AMQP over WebSockets on port 443 (TransportType AmqpWebSockets, AmqpOverWebsocket), which also goes through a proxy.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/service-bus-messaging/service-bus-troubleshooting-guide",
        "https://learn.microsoft.com/azure/event-hubs/troubleshooting-guide",
    ),
    leads_to=("network.connection_times_out", "network.connection_refused"),
    ask="kubectl run amqp-test --rm -it --image=mcr.microsoft.com/azurelinux/busybox:1.36 -- nc -vz <namespace>.servicebus.windows.net 5671",
)
